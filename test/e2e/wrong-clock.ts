/** Runs the command line in a process whose clock is wrong by so many milliseconds: the first argument. */
import { run } from "../../packages/cli/src/run.ts";

const [wrongByMs = ""] = process.argv.splice(2, 1);
const systemTime = Date.now;
Date.now = () => systemTime() + Number(wrongByMs);
await run();
