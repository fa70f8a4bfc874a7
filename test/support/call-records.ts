/** The sandbox's record of calls for a test that looks at other control calls. */
import { createSecretFinder } from "@titian/explain";
import type { Clock } from "@titian/server/rails";
import { openCallRecord } from "../../packages/control/src/calls/open-call-record.ts";
import { createCallExplanations } from "../../packages/control/src/explanations/explain-calls.ts";
import type { RecordedCallsDeps } from "../../packages/control/src/record/recorded-calls.ts";

/** It has no partners; its thread is never started. */
export function openCallRecordOfNobody(clock: Clock): RecordedCallsDeps["calls"] {
  const explanations = createCallExplanations({
    clock,
    paths: { prefixes: [""], versions: ["v1.0"] },
    secrets: () => createSecretFinder([]),
    firstPartners: () => [],
    findPartner: () => undefined,
    wasIssuedHere: async () => false,
  });
  return { ...openCallRecord((text) => text), explanations, clock };
}
