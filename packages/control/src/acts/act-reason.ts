import { string } from "@titian/contract";

/** The reason of the act that a call proposes. */
export const actReason = string({
  pattern: "^.{1,500}$",
  description: "a text of 1 to 500 characters on one line, which says why",
});
