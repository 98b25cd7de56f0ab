"""PDF, office files and tables of data."""
