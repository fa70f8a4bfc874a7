/** The sandbox around the real service, and what a command of the command line needs of a running one. */
export { openSandboxKeys } from "./keys.ts";
export { followMovedClock } from "./moved-clock.ts";
export { startSandbox } from "./start-sandbox.ts";
