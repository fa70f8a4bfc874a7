/** The last test of a partner's receiver, as it is shown. */
import { choice, integer, number, object, operationRows, optional, type Static, string } from "@titian/contract";
import { explainTest } from "@titian/explain";
import { attemptExplanation, type Found, type ReceiverTest, time } from "@titian/server/admin";

/** Service codes of notifications. */
export const notificationServices = operationRows.flatMap(({ kind, code }) => (kind === "notification" ? [code] : []));

export const receiverTestView = object({
  at: time(),
  serviceCode: choice(notificationServices),
  url: string({ description: "its query masked" }),
  durationMs: number(),
  httpStatus: optional(integer()),
  responseCode: optional(string()),
  reply: optional(string({ description: "its first 500 characters; in mode 1, where it may show a token, none" })),
  failure: optional(string({ description: "absent: accepted" })),
  explanation: optional(attemptExplanation),
});
export type ReceiverTestView = Static<typeof receiverTestView>;

export function describeReceiverTest(test: ReceiverTest): Found<ReceiverTestView> {
  return { ...test, explanation: explainTest(test) };
}
