/** The state machines of the service. */
import { holdStates } from "../../packages/server/src/ledger/hold-states.ts";
import { transferStates } from "../../packages/server/src/ledger/transfer-states.ts";
import type { Machine } from "./states.ts";

export const machines: readonly Machine[] = [
  { name: "holds", start: { event: "authorize", state: "open" }, states: holdStates },
  { name: "transfers", start: { event: "accept", state: "sent" }, states: transferStates },
];
