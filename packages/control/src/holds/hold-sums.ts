import { amount } from "../rows/write-answer.ts";

/** held = captured + voided + expired + remaining. */
export const holdSums = {
  held: amount(),
  captured: amount(),
  voided: amount(),
  expired: amount(),
  remaining: amount({ description: "what may still be captured or voided" }),
  refunded: amount({ description: "of what was captured" }),
};
