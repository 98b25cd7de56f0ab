"""A branch of a Git repository as a source: a bare clone, blobs read by id, nothing checked out, nothing run."""
