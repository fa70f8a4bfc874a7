/** Preloaded into the service under test: it stops in order when the benches go away, however they end. */
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
