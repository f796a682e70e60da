"""What was said, kept: one SQLite file, written by one daemon, read by anybody who may."""
