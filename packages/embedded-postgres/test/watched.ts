/** A script as npm runs it: stays until npm is gone, a minute at most. Its argument is npm's process id, if it is told. */
import { watchParent } from "../src/process/watch-parent.ts";

const limit = setTimeout(() => {}, 60_000);
const [, , npmPid] = process.argv;
watchParent({
  npm: npmPid === undefined ? {} : { pid: Number(npmPid) },
  onGone: () => {
    console.log("npm is gone");
    clearTimeout(limit);
  },
});
console.log("watching");
