"""The agreement between a host and the firmware of a table's board.

Imports construct, cobs and the standard library only: nothing of tablectl or tablesim.
"""
