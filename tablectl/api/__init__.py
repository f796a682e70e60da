"""The daemon over HTTP and WebSocket: each method defined once, each guarded."""
