/** Behaviour of a simulated rail in each of its modes. */
import type { Answer } from "../control/call-row.ts";

export type RailMode = Answer<"GET /rails/{rail}/mode">["mode"];

export const railModes: Readonly<Record<RailMode, string>> = {
  normal: "it answers at once",
  slow: "its answers take 15 s",
  limbo: "it takes everything and answers nothing",
  down: "it cannot be reached, and what was accepted is sent when it returns",
};
