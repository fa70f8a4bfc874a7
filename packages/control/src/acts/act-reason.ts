import { optional, string } from "@titian/contract";

/** The reason of the act that a call proposes. */
export const actReason = string({
  minLength: 1,
  maxLength: 500,
  // More than blanks.
  pattern: "^ *[^\\x00-\\x20\\x7f][^\\x00-\\x1f\\x7f]*$",
  description: "a text of 1 to 500 characters on one line, which says why",
});

/** The ticket of the act that a call proposes. */
const actTicket = string({
  minLength: 1,
  maxLength: 100,
  pattern: "^[^\\x00-\\x1f\\x7f]+$",
  description: "a text of 1 to 100 characters on one line, such as the number of an incident",
});

/** Members of a body that proposes an act. */
export const actWords = { reason: optional(actReason), ticket: optional(actTicket) };

/** It makes the act that it names: given again, the act is carried out once. */
export const actReference = string({
  pattern: "^[\\x21-\\x7e]{1,64}$",
  description: "a text of 1 to 64 visible ASCII characters",
});

export const moreThanZero = string({ description: 'a decimal text of more than zero, such as "1500000.00"' });
