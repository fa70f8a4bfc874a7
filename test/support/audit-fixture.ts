/** A small ledger with a history, for tests that look at what the audit makes of it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { PartnerCredentials } from "../../packages/server/src/interfaces/call.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleIntrabankTransfer } from "../../packages/server/src/operations/transfers/intrabank-transfer.ts";
import { callOf, startNode, type TestNode, writeDepsOf } from "./administration.ts";
import { useDatabase } from "./database/database.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly externalId?: string;
}

/** Sends operation 17 and answers its case and its reference. */
export async function pay(node: TestNode, partner: PartnerCredentials, payment: Payment): Promise<string> {
  const externalId = payment.externalId ?? randomUUID();
  const request = {
    partnerReferenceNo: randomUUID(),
    amount: { value: payment.value, currency: "IDR" },
    sourceAccountNo: payment.from,
    beneficiaryAccountNo: payment.to,
    transactionDate: "2026-11-21T10:00:00+07:00",
  };
  const reply = await handleIntrabankTransfer(writeDepsOf(node))(
    callOf(node, partner, { operation: operations.intrabankTransfer, request, externalId }),
  );
  return reply.case;
}

export interface Fixture extends AsyncDisposable {
  readonly url: string;
  readonly ownerUrl: string;
  readonly node: TestNode;
  readonly partner: PartnerCredentials;
  /** Ends the node; the database stays. */
  leave(): Promise<void>;
}

/** Two accounts with 1,000.00 each, three transfers of 10.00 from the first to the second, and a rejected one. */
export async function createFixture(): Promise<Fixture> {
  const database = await useDatabase();
  const node = await startNode(database.url);
  const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
  const terms = { name: "Siti", currency: "IDR", type: "S", balance: minor(100_000n), partners: [key] } as const;
  for (const accountNo of ["1001", "1002"]) valueOf(await openAccount(node, { ...terms, accountNo }));
  for (let count = 0; count < 3; count += 1) {
    assert.equal(await pay(node, partner, { from: "1001", to: "1002", value: "10" }), "success");
  }
  assert.equal(await pay(node, partner, { from: "1001", to: "1002", value: "5000" }), "insufficientFunds");
  const close = async () => {
    await node.close();
    await database.drop();
  };
  const { url, ownerUrl } = database;
  return { url, ownerUrl, node, partner, leave: () => node.close(), [Symbol.asyncDispose]: close };
}

/** Runs statements as the owner, with the ledger's triggers and limits off. */
