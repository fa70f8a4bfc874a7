/** Goal: a line that is written long after the last one does not wait for a look as long as that one would. */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { after, test } from "node:test";
import { eventually } from "../../../../test/support/black-box/answers.ts";
import { createResultLooks } from "./look-for-results.ts";

/** Looks since a line of nine seconds ago; answers whether a new line ends the pause under way. */
function looksOfAnOldLine(read: () => Promise<number>) {
  let [now, reads] = [0, 0];
  const clock = { now: () => now, real: () => now, monotonic: () => now };
  const looks = createResultLooks(async () => {
    reads += 1;
    return read();
  }, clock);
  after(() => looks.close());
  const ends = async () => {
    looks.begin();
    now += 9_000;
    const before = reads;
    await eventually(() => reads > before, 1);
    // Longer than the shortest pause, and shorter than that of the old line.
    await sleep(200);
    const seen = reads;
    looks.begin();
    for (let turns = 0; turns < 3; turns += 1) await nextTurn();
    return reads > seen;
  };
  return ends;
}

test("a new line ends the pause of an old one", async () => {
  const ends = looksOfAnOldLine(async () => 0);
  await eventually(ends, 1);
});

test("a new line does not end the pause behind a failure", async () => {
  const ends = looksOfAnOldLine(async () => {
    throw new Error("the folder cannot be read");
  });
  await eventually(async () => !(await ends()), 1);
});
