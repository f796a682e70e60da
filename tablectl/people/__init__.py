"""Players who take tiles, throw, call, press and tap by any preset's rules: for the demo, tests
and soak. They know tables only by walking round them, never by the program's geometry."""
