/** One reply of several cells' replies to the same inquiry (spec D8, D15). */
import type { Reply } from "../../interfaces/call.ts";

/** The newest of what was accepted, else a rejection, else that there is none; undefined: there are no replies. */
export function newestOf(replies: readonly Reply[]): Reply | undefined {
  const found = replies.filter(({ case: name }) => name === "success");
  const accepted = found.filter((reply) => !isRejected(reply));
  const candidates = accepted.length > 0 ? accepted : found;
  const byAge = candidates.toSorted((one, other) => timeOf(other) - timeOf(one));
  // A merchant's rule about tokens says more than "not found".
  return byAge[0] ?? replies.find(({ case: name }) => name !== "transactionNotFound") ?? replies[0];
}

const rejectedStatus = "06";

function isRejected({ fields }: Reply): boolean {
  return fields?.["latestTransactionStatus"] === rejectedStatus && fields["originalReferenceNo"] === undefined;
}

/** Epoch ms of the hold that it tells of; other inquiries name one write, of which there is one. */
function timeOf({ fields }: Reply): number {
  const { paidTime } = fields ?? {};
  return typeof paidTime === "string" ? Date.parse(paidTime) : 0;
}

/** A read that was turned away, or failed, has said nothing. */
export function isAnswer({ case: name }: Reply): boolean {
  return name !== "serviceUnavailable" && name !== "generalError" && name !== "timeout";
}
