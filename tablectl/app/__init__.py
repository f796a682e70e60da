"""The daemon: its configuration, one actor for each table, health, an orderly stop.

It joins link and journal; nothing here knows HTTP or a terminal.
"""
