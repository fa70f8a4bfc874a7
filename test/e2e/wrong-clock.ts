/** Runs the command line in a process whose clock is wrong by so many milliseconds: the first argument. */
const [wrongByMs = ""] = process.argv.splice(2, 1);
const systemTime = Date.now;
Date.now = () => systemTime() + Number(wrongByMs);
await import("../../packages/cli/src/main.ts");
