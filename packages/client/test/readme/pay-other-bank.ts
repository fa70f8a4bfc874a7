import { type Attempt, type Client, isCallError, isSnapError } from "@titian/client";

/** Run it again, with growing pauses, while it returns "pending"; `wasSent` is stored before the first. */
export async function payOtherBank(client: Client, attempt: Attempt<"interbankTransfer">, wasSent: boolean) {
  try {
    const response = await (wasSent ? client.repeat(attempt) : client.send(attempt));
    // 202: the account is debited, and the rail has not reported the outcome.
    return response.case === "success" ? "paid" : "pending";
  } catch (error) {
    if (!isCallError(error)) throw error;
    if (!isSnapError(error) || !error.isFinal) return "pending";
    // The number belongs to another transfer, or the id to another call.
    if (error.caseName === "inconsistentRequest") throw error;
    const status = error.latestTransactionStatus;
    if (error.caseName === "conflict" && status === undefined) throw error;
    // The response to a repeat has the current status of the accepted send.
    if (status === "01" || status === "02" || status === "03") return "pending";
    if (status === "00") return "paid";
    return status === "04" ? "returned" : "rejected";
  }
}
