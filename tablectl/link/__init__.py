"""Speaking with tables: bytes to observations, commands to bytes; `transport` alone has input and
output."""
