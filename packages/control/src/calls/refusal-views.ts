/** Explanations of recorded calls as answers. */
import { array, integer, number, object, optional, record, type Static, string } from "@titian/contract";

const statement = {
  sentence: string({ description: "in English" }),
  sentenceId: string({ description: "stable; two joined by + for two mistakes" }),
  parameters: record(string()),
  translations: object({ id: string() }, { description: "the same in other languages, by ISO 639 code" }),
  part: string({ description: "the header, field, or part of the signature it is about" }),
};
const warning = object(statement);
const diagnosis = object({
  ...statement,
  cause: string({ description: "or two joined by +, alphabetical; unknown where no variation verifies" }),
});

/** Unknown members are left out. */
const explanation = {
  ourClock: optional(string({ description: "that X-TIMESTAMP is compared with" })),
  clockDifferenceMs: optional(number({ description: "X-TIMESTAMP minus our clock" })),
  stringToSign: optional(string({ description: "that the signature is verified of, its token masked" })),
  bodyHash: optional(string({ description: "hex SHA-256 of the body received" })),
  minifiedBodyHash: optional(string({ description: "the same without white space outside texts" })),
  differsAt: optional(
    object(
      { index: integer(), ours: string(), theirs: string() },
      { description: "where the text that was signed departs from ours, if the mistake is known" },
    ),
  ),
};

export const refusalView = object({
  id: string({ description: "the X-CORRELATION-ID of its answer" }),
  at: string(),
  partnerId: optional(string({ description: "as claimed" })),
  operation: optional(string()),
  path: string(),
  responseCode: string(),
  step: integer(),
  ...explanation,
  diagnosis,
});
export type RefusalView = Static<typeof refusalView>;

/** Explanation of any recorded call: a rejected one has a diagnosis. */
export const explained = {
  ...explanation,
  diagnosis: optional(diagnosis),
  warnings: array(warning, { description: "probable mistakes for which a call is not refused here" }),
};
const explainedView = object(explained);
export type ExplainedView = Static<typeof explainedView>;
/** A sentence in both languages. */
export type Statement = Pick<Static<typeof warning>, "sentence" | "translations">;
