import { type BulkOrder, BulkRejectedError, type Client, payInBulk, paymentsToRetry } from "@titian/client";

/** Run it again with the same list after a crash or an error: what was accepted is followed, not paid again. */
export async function paySalaries(client: Client, month: string, payments: BulkOrder["payments"]) {
  const order = { name: `PAYROLL-${month}`, sourceAccountNo: "1001000001", payments };
  try {
    const { counts, results } = await payInBulk(client, order, {
      onProgress: ({ stage, settled, open }) => console.log(stage, settled, open),
    });
    // Rejected and returned ones, under new numbers: correct them, and pay them as a list of another name.
    return { counts, again: paymentsToRetry(results) };
  } catch (error) {
    // None of this bulk is paid; `payment` is the one that the provider named.
    if (error instanceof BulkRejectedError) console.log(error.payment, error.cause.caseName, error.message);
    throw error;
  }
}
