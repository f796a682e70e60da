"""The agreement between the host and a board's firmware.

Imports construct, cobs and the standard library only, and nothing of `tablectl` or `tablesim`.
"""
