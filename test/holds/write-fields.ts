/** Names of the fields of the writes about holds (63, 65, 67, 69). */
import type { Reply } from "../../packages/server/src/interfaces/call.ts";

/** The partner's number of a write, its amount, our number of it, and its time. */
export const writeFields = {
  authPayment: { number: "partnerReferenceNo", amount: "amount", no: "referenceNo", time: "paidTime" },
  authCapture: { number: "partnerCaptureNo", amount: "captureAmount", no: "captureNo", time: "captureTime" },
  authVoid: { number: "partnerVoidNo", amount: "voidAmount", no: "voidNo", time: "voidTime" },
  authRefund: { number: "partnerRefundNo", amount: "refundAmount", no: "refundNo", time: "refundTime" },
} as const;

export type WriteName = keyof typeof writeFields;
export type ChangeName = Exclude<WriteName, "authPayment">;

/** Our number in the response to a write. */
export function numberIn({ fields = {} }: Pick<Reply, "fields">): string | undefined {
  return Object.values(writeFields)
    .map(({ no }) => fields[no])
    .find((no) => typeof no === "string");
}
