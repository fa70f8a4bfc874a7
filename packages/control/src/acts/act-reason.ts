import { string } from "@titian/contract";

/** The reason of the act that a call proposes. */
export const actReason = string({
  minLength: 1,
  maxLength: 500,
  pattern: "^[^\\x00-\\x1f\\x7f]+$",
  description: "a text of 1 to 500 characters on one line, which says why",
});

/** The ticket of the act that a call proposes. */
export const actTicket = string({
  minLength: 1,
  maxLength: 100,
  pattern: "^[^\\x00-\\x1f\\x7f]+$",
  description: "a text of 1 to 100 characters on one line, such as the number of an incident",
});
