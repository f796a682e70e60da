"""The simulated table: imports protocols and the standard library, never tablectl."""
