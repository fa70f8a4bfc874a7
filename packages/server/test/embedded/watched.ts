/** A script as npm runs it: stays until npm is gone, a minute at most. */
import { watchParent } from "../../src/embedded/watch-parent.ts";

const limit = setTimeout(() => {}, 60_000);
watchParent({
  isStartedByNpm: true,
  onGone: () => {
    console.log("npm is gone");
    clearTimeout(limit);
  },
});
console.log("watching");
