import { type Attempt, type Client, isCallError, isSnapError } from "@titian/client";

/** One run of a job that runs again, with growing pauses, while it is "open"; `wasSent` is stored before the first. */
export async function payOtherBank(client: Client, attempt: Attempt<"interbankTransfer">, wasSent: boolean) {
  try {
    const answer = await (wasSent ? client.repeat(attempt) : client.send(attempt));
    // 202: the money has left the account, and the rail has not said what became of it.
    return answer.case === "success" ? "paid" : "open";
  } catch (error) {
    if (!isCallError(error)) throw error;
    if (!isSnapError(error) || !error.isDecided) return "open";
    // The number is another transfer's, or the id another call's: nothing of this one.
    if (error.caseName === "inconsistentRequest") throw error;
    const status = error.latestTransactionStatus;
    if (error.caseName === "conflict" && status === undefined) throw error;
    // A repeat is answered with the status, by now, of the send that was accepted.
    if (status === "01" || status === "02" || status === "03") return "open";
    if (status === "00") return "paid";
    return status === "04" ? "returned" : "refused";
  }
}
