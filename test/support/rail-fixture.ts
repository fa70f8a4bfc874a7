/** A small ledger with a transfer in every state, for tests that look at what the audit makes of it. */
import assert from "node:assert/strict";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { Handler, Reply } from "../../packages/server/src/interfaces/call.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { handleInterbankTransfer } from "../../packages/server/src/operations/transfers/interbank-transfer.ts";
import {
  handleRtgsTransfer,
  handleSknTransfer,
} from "../../packages/server/src/operations/transfers/clearing-transfer.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import type { Dispatcher } from "../../packages/server/src/rails/dispatcher.ts";
import { listScenarios } from "../../packages/sandbox/src/rails/scenarios.ts";
import { createSimulatedRails } from "../../packages/sandbox/src/rails/simulated-rails.ts";
import { callOf, startNode, type TestNode, writeDepsOf } from "./administration.ts";
import { useDatabase } from "./database/database.ts";
import { railRequest, testDispatcher } from "./dispatcher.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";
import { mayGoOn } from "./run-job.ts";
import { workingTime } from "./working-day.ts";

export interface RailFixture extends AsyncDisposable {
  readonly url: string;
  readonly ownerUrl: string;
}

/** Between two settlements of SKNBI. */
const start = workingTime(10, 5);

/** Longer than any slow machine takes for a rail's response, and briefly for the response that never comes. */
const waitMs = { answered: 20_000, open: 300 };

function startDispatch(node: TestNode, interbankWaitMs: number): Dispatcher {
  const { clock, reads, database, reference } = node;
  const { rails } = createSimulatedRails({ clock, reads, database, data: () => reference.current().rails });
  return testDispatcher({ ...node, rails, railTimeoutMs: waitMs.answered, interbankWaitMs, callsMax: 64 });
}

/**
 * The payer 3001 began with 1,000,000,000.00. Of 18: one of 10.00 settled, one of 20.00 rejected within its call, one of
 * 30.00 open. Of 22: one of 200,000,000.00 settled and returned. Of 23: one of 40.00 settled, one of 50.00 rejected.
 */
export async function createRailFixture(): Promise<RailFixture> {
  const database = await useDatabase();
  const node = await startNode(database.url);
  node.clock.setOffset(start - node.clock.real());
  const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
  const payer = { name: "Siti", currency: "IDR", type: "S", partners: [key], accountNo: "3001" } as const;
  valueOf(await openAccount(node, { ...payer, balance: minor(100_000_000_000n) }));
  const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
  const dispatchers = { answered: startDispatch(node, waitMs.answered), open: startDispatch(node, waitMs.open) };

  const send = async (name: keyof typeof handlers, value: string, outcome: string): Promise<Reply> => {
    const account =
      listScenarios().find((one) => one.outcome === outcome)?.beneficiaryAccountNo ?? assert.fail(outcome);
    const request = railRequest("3001", value, account);
    const { sender } = outcome === "limbo" ? dispatchers.open : dispatchers.answered;
    const deps = { ...writeDepsOf(node), sender };
    return handlers[name](deps)(callOf(node, partner, { operation: operations[name], request }));
  };
  assert.equal((await send("interbankTransfer", "10.00", "success")).case, "success");
  assert.equal((await send("interbankTransfer", "20.00", "unknownBeneficiary")).case, "invalidAccount");
  assert.equal((await send("interbankTransfer", "30.00", "limbo")).case, "requestInProgress");
  const large = await send("rtgsTransfer", "200000000.00", "success");
  assert.equal((await send("sknTransfer", "40.00", "success")).case, "success");
  assert.equal((await send("sknTransfer", "50.00", "rejected")).case, "success");
  node.clock.setOffset(start + 7_200_000 - node.clock.real());
  const { answered, open } = dispatchers;
  for (const job of [...answered.collect, ...answered.reconcile]) await job.run(mayGoOn);
  const referenceNo = String(large.fields?.["referenceNo"]);
  assert.equal((await resolveTransfer(node, referenceNo, { resolution: "returned" }))?.state, "returned");
  await Promise.all([answered.close(), open.close()]);
  await node.close();
  const { url, ownerUrl } = database;
  return { url, ownerUrl, [Symbol.asyncDispose]: () => database.drop() };
}

const handlers = {
  interbankTransfer: handleInterbankTransfer,
  rtgsTransfer: handleRtgsTransfer,
  sknTransfer: handleSknTransfer,
} satisfies Record<string, (deps: never) => Handler>;
