"""tablectl: runs beside an automatic mahjong table and knows the rule that people play on it."""

__version__ = "0.1.0"
