import type { AttemptStore, Client, RequestOf } from "@titian/client";

/** Run it again with the same transfer while it is "pending", and after a crash: the money leaves once. */
export async function payOtherBank(client: Client, store: AttemptStore, transfer: RequestOf<"interbankTransfer">) {
  // An id of your own: up to 36 letters, digits, `-`, `_`, `.`
  const attempt = client.prepare("interbankTransfer", transfer, { externalId: transfer.partnerReferenceNo });
  const result = await client.settle(attempt, { store, until: new Date(Date.now() + 5_000) });
  switch (result.state) {
    case "done":
      return "paid";
    case "rejected":
      return result.status === "04" ? "returned" : "rejected"; // the money is back
    case "unknown":
      return "pending"; // with `isAccepted` the account is debited, and the rail has yet to report
  }
}
