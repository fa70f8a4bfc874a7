/**
 * Contract that any rail must pass (docs/reference/rails.md): called from a test file of each implementation with what
 * stands for the other side there. The tests ask for what dispatch relies on to carry every transfer once and to learn
 * what became of it.
 */
import { after, beforeEach, suite } from "node:test";
import { testFaults } from "./contract-faults.ts";
import { testKills } from "./contract-kills.ts";
import { testResults } from "./contract-results.ts";
import { testInquiries, testKeys, testSubmissions } from "./contract-submissions.ts";
import { endAll, type OtherSide, withRail } from "./other-side.ts";

/** `sharesStore`: it keeps instructions as another rail does, whose processes are killed. */
export function testRail(name: string, start: () => Promise<OtherSide>, { sharesStore = false } = {}): void {
  suite(`${name}: the contract of a rail`, async () => {
    const side = await start();
    after(() => side.close());
    // An instruction that one test left open must not end in the next.
    beforeEach(() => withRail(side, (rail) => endAll(side, rail)));
    testSubmissions(side);
    testKeys(side);
    testInquiries(side);
    testResults(side);
    testFaults(side);
    if (!sharesStore) testKills(side);
  });
}
