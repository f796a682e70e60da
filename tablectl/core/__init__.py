"""Everything that is true of a table before a byte is read: pure, without clock, port or file.

Imports `tablectl.errors` and nothing else of tablectl.
"""
