"""A Confluence site, Cloud or Data Center, as a source."""
