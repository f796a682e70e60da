"""Speaking with tables: bytes to observations and commands to bytes, without input or output."""
