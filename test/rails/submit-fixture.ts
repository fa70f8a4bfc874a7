/** A node with a payer, and rails that do what a test tells them: what of its transfers reaches a rail. */
import assert from "node:assert/strict";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleInterbankTransfer } from "../../packages/server/src/operations/transfers/interbank-transfer.ts";
import { handleRtgsTransfer } from "../../packages/server/src/operations/transfers/clearing-transfer.ts";
import type { TransferSender } from "../../packages/server/src/interfaces/transfer-sender.ts";
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import type { DispatcherDeps } from "../../packages/server/src/rails/dispatcher.ts";
import type { Rail, RailState } from "../../packages/server/src/rails/rail.ts";
import { findAccountByNumber } from "../../packages/server/src/store/reads/accounts.ts";
import { callOf, startNode, writeDepsOf } from "../support/administration.ts";
import { railRequest, testDispatcher } from "../support/dispatcher.ts";
import { useDatabase } from "../support/database/database.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { mayGoOn } from "../support/run-job.ts";
import { afterAll } from "../support/shared.ts";
import { railThat } from "./rail-that.ts";
import { workingTime } from "../support/working-day.ts";

export const database = await useDatabase();
export const node = await startNode(database.url);
// While RTGS is open.
node.clock.setOffset(workingTime(10) - node.clock.real());
const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
const payer = { accountNo: "4001", name: "Siti", currency: "IDR", type: "S", partners: [key] } as const;
const opening = 100_000_000_000_000n;
valueOf(await openAccount(node, { ...payer, balance: minor(opening) }));
const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();

afterAll(async () => {
  assert.deepEqual(await runAudit(database.url), { ok: true, findings: [] });
  await node.close();
  await database.drop();
});

type Given = Pick<DispatcherDeps, "engine" | "database" | "reads" | "callsMax" | "railTimeoutMs" | "clock">;

interface Terms extends Partial<Given> {
  readonly silent?: DispatcherDeps["events"]["callFailed"];
  readonly events?: Partial<DispatcherDeps["events"]>;
}

export function dispatcherWith(rail: Rail, { silent, events, ...terms }: Terms = {}) {
  const others = (name: Rail["name"]) => (rail.name === name ? rail : railThat(name, {}).rail);
  const rails = { interbank: others("interbank"), rtgs: others("rtgs"), skn: others("skn") };
  return testDispatcher({ ...node, rails, ...terms, events: { ...events, ...(silent && { callFailed: silent }) } });
}

export type Dispatcher = ReturnType<typeof dispatcherWith>;

export function send({ sender }: { readonly sender: TransferSender }, service: "18" | "22"): Promise<Reply> {
  const operation = service === "18" ? operations.interbankTransfer : operations.rtgsTransfer;
  const handle = service === "18" ? handleInterbankTransfer : handleRtgsTransfer;
  const request = railRequest(payer.accountNo, service === "18" ? "100.00" : "100000001.00");
  return handle({ ...writeDepsOf(node), sender })(callOf(node, partner, { operation, request }));
}

export const reconcile = (dispatcher: Dispatcher) => Promise.all(dispatcher.reconcile.map((job) => job.run(mayGoOn)));
export const balance = async () => (await findAccountByNumber(node.reads, payer.accountNo))?.balance;
export const never = () => new Promise<RailState>(() => undefined);
export const laterBy = (ms: number) => node.clock.setOffset(node.clock.offset() + ms);
