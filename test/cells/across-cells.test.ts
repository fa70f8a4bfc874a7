// A transfer to another cell (17) is taken only where it arrives for sure: not while that is silent, stopped, or ahead of this one.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleTransferAcrossCells } from "../../packages/server/src/operations/transfers/transfer-across-cells.ts";
import { findAccountByNumber } from "../../packages/server/src/store/reads/accounts.ts";
import type { TransitPosition } from "../../packages/server/src/store/reads/transit.ts";
import { callOf, startNode, writeDepsOf } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { account } from "../engine/transfers.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const { partnerId, key } = valueOf(await onboardPartner(node, newPartner()));
const holder = { name: "Siti", currency: "IDR", type: "S", balance: minor(1_000_000n), partners: [key] } as const;
const { accountNo: payer } = valueOf(await openAccount(node, holder));
const payee = { ...account("2"), accountNo: "510000000001" };
const partner = node.reference.byPartnerId(partnerId);
assert.ok(partner);

interface Given {
  /** Absent: the cell is silent. */
  readonly isSilent?: true;
  readonly isStopped?: boolean;
  readonly mirror?: TransitPosition | undefined;
}

const waited: number[] = [];

/** The reply, and by how much the payer was debited (minor units). */
async function transfer({ isSilent, isStopped = false, mirror }: Given): Promise<readonly [string, bigint]> {
  const found = new Map([[payee.accountNo, payee]]);
  if (mirror) found.set("transit:in:IDR:00", { ...payee, ...mirror });
  const handle = handleTransferAcrossCells({
    ...writeDepsOf(node),
    cell: 0,
    payeeCell: () => (isSilent ? undefined : { looks: { find: async () => found } }),
    transitTo: () => ({
      isStopped: () => isStopped,
      waitForMirror: async ({ version }) => {
        waited.push(version);
        return true;
      },
    }),
  });
  const balance = async () => (await findAccountByNumber(node.reads, payer))?.balance ?? minor(0n);
  const before = await balance();
  const request = {
    partnerReferenceNo: newId(),
    amount: { value: "10.00", currency: "IDR" },
    sourceAccountNo: payer,
    beneficiaryAccountNo: payee.accountNo,
    transactionDate: "2026-11-21T10:00:00+07:00",
  };
  assert.ok(partner);
  const reply = await handle(callOf(node, partner, { operation: operations.intrabankTransfer, request }), 1);
  return [reply.case, before - (await balance())];
}

const taken = ["success", 1_000n];
const notTaken = ["serviceUnavailable", 0n];
const outAccount = () => findAccountByNumber(node.reads, "transit:out:IDR:01");
const positionOf = async (more: bigint): Promise<TransitPosition> => {
  const out = await outAccount();
  assert.ok(out);
  return { id: newId(), name: out.id, version: Number(out.version) + Number(more), balance: minor(0n) };
};

test("the first transfer opens the account, and its caller waits for its entry", async () => {
  assert.deepEqual(await transfer({}), taken);
  assert.deepEqual(waited, [1]);
});

test("a cell that is silent, or whose stream has stopped, takes nothing", async () => {
  assert.deepEqual(await transfer({ isSilent: true }), notTaken);
  assert.deepEqual(await transfer({ isStopped: true }), notTaken);
});

test("a mirror that is level or behind takes the next", async () => {
  assert.deepEqual(await transfer({ mirror: await positionOf(0n) }), taken);
  assert.deepEqual(await transfer({ mirror: await positionOf(-1n) }), taken);
});

test("a mirror that is ahead takes nothing: a new payment would take the place of one that was lost", async () => {
  assert.deepEqual(await transfer({ mirror: await positionOf(1n) }), notTaken);
});

test("a mirror of another database's account takes nothing", async () => {
  assert.deepEqual(await transfer({ mirror: { ...(await positionOf(0n)), name: newId() } }), notTaken);
});
