/** A payer and bulks (20) in every state, for tests that look at what is kept of them. */
import assert from "node:assert/strict";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleInterbankBulkTransfer } from "../../packages/server/src/operations/bulks/interbank-bulk-transfer.ts";
import type { Dispatcher } from "../../packages/server/src/rails/dispatcher.ts";
import { listScenarios, type Outcome } from "../../packages/sandbox/src/rails/scenarios.ts";
import { createSimulatedRails } from "../../packages/sandbox/src/rails/simulated-rails.ts";
import { callOf, type TestNode, writeDepsOf } from "./administration.ts";
import { testDispatcher } from "./dispatcher.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";
import { testPartnerShares } from "./partner-shares.ts";
import { mayGoOn } from "./run-job.ts";

export interface BulkFixture {
  readonly partnerId: string;
  /** bulkId of each. */
  readonly ended: string;
  readonly failed: string;
  readonly open: string;
  readonly waiting: string;
  /** referenceNo of each item by its number. */
  readonly items: ReadonlyMap<string, string>;
}

type Item = readonly [value: string, outcome: Outcome];

const payer = "5001";

/**
 * The payer 5001 began with 1,000,000,000.00. `ENDED`: of 10.00 settled, 20.00 rejected, 30.00 returned, 40.00 settled.
 * `FAILED`: of 5,000.00 rejected, the fee the beneficiary's. `OPEN`, the fee shared: of 6,000.00 settled, 7,000.00 pending,
 * 8,000.00 rejected. A bulk without a number: two of 9.00, or `unsentCount`, which nobody submitted. Items are numbered `ENDED-0` and so on,
 * those of the last one `WAITING-0`. `REJECTED` was rejected, with an amount of zero.
 */
export async function sendBulks(node: TestNode, unsentCount = 2): Promise<BulkFixture> {
  const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
  const account = { name: "Siti", currency: "IDR", type: "S", partners: [key], accountNo: payer } as const;
  valueOf(await openAccount(node, { ...account, balance: minor(100_000_000_000n) }));
  const dispatcher = startDispatch(node);
  const handle = handleInterbankBulkTransfer({ ...writeDepsOf(node), bulkShares: testPartnerShares() });
  const call = (name: string, items: readonly Item[], more: object) => {
    const request = bulkRequest(name, items, more);
    return handle(
      callOf(node, partner, { operation: operations.interbankBulkTransfer, request, externalId: `X-${name}` }),
    );
  };
  const send = async (name: string, items: readonly Item[], more: object = {}): Promise<string> => {
    const { fields } = await call(name, items, more);
    return String(fields?.["bulkId"] ?? assert.fail(`bulk ${name} was rejected`));
  };
  const ended = await send("ENDED", [
    ["10.00", "success"],
    ["20.00", "unknownBeneficiary"],
    ["30.00", "returnedAfterSettlement"],
    ["40.00", "success"],
  ]);
  const failed = await send("FAILED", [["5000.00", "rejected"]], { feeType: "BEN" });
  const open = await send(
    "OPEN",
    [
      ["6000.00", "success"],
      ["7000.00", "limbo"],
      ["8000.00", "rejected"],
    ],
    { feeType: "SHA" },
  );
  await dispatcher.sendBulkItems.run(mayGoOn);
  node.clock.setOffset(90_000);
  for (const job of dispatcher.collect) await job.run(mayGoOn);
  const unsent = Array.from({ length: unsentCount }, (): Item => ["9.00", "success"]);
  const waiting = await send("WAITING", unsent, { partnerBulkId: undefined });
  assert.equal((await call("REJECTED", [["0.00", "success"]], {})).case, "invalidAmount");
  await dispatcher.close();
  return { partnerId, ended, failed, open, waiting, items: await readItems(node) };
}

async function readItems({ reads }: TestNode): Promise<ReadonlyMap<string, string>> {
  const path = "payload::json #>> '{request,partnerReferenceNo}'";
  const { rows } = await reads.query(
    `select ${path} as number, id from accepted_requests where service = 20 and ${path} is not null`,
  );
  return new Map(rows.map(({ number, id }) => [number, toReferenceNo(id)]));
}

function startDispatch(node: TestNode): Dispatcher {
  const { clock, reads, database, reference } = node;
  const { rails } = createSimulatedRails({ clock, reads, database, data: () => reference.current().rails });
  return testDispatcher({ ...node, rails, railTimeoutMs: 2_000 });
}

function bulkRequest(name: string, items: readonly Item[], more: object): Record<string, unknown> {
  return {
    customerReference: name,
    partnerBulkId: name,
    sourceAccountNo: payer,
    transactionDate: "2026-11-25T10:00:00+07:00",
    bulkObject: items.map(([value, outcome], position) => ({
      partnerReferenceNo: `${name}-${position}`,
      bankCode: "014",
      beneficiaryAccountNo: listScenarios().find((one) => one.outcome === outcome)?.beneficiaryAccountNo,
      beneficiaryAccountName: "Ratna",
      amount: { value, currency: "IDR" },
    })),
    ...more,
  };
}
