/** Pays an order exactly once. Called again with the same order, after a crash or `unknown`, it goes on from where it was. */
import type { AttemptStore, Client } from "@titian/client";

export interface Order {
  readonly id: string;
  readonly placedAt: string;
  readonly total: string;
  readonly payer: string;
  readonly shop: string;
}

export async function checkOut(client: Client, store: AttemptStore, { id, placedAt, total, payer, shop }: Order) {
  const request = {
    partnerReferenceNo: id,
    amount: { value: total, currency: "IDR" },
    sourceAccountNo: payer,
    beneficiaryAccountNo: shop,
    transactionDate: placedAt,
  };
  const attempt = client.prepare("intrabankTransfer", request, { externalId: id });
  return client.settle(attempt, { store, until: new Date(Date.now() + 30_000) });
}
