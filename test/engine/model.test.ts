// Random transfers against a model of the specification: after every step the responses and the balances must be the same,
// also when connections break at the worst moments.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Client } from "pg";
import type { Clock } from "../../packages/server/src/basics/clock.ts";
import type { Outcome } from "../../packages/server/src/engine/command.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import type { AccountLimits, AccountStatus } from "../../packages/server/src/ledger/accounts/account.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { type Fault, faultySession } from "./faulty-session.ts";
import { findFaults } from "./find-faults.ts";
import { accountNo, anyStep, type CallFields, callOf, everyReply, type Step } from "./random-steps.ts";
import { type SeedAccount, seedAccounts } from "./seed-accounts.ts";
import { createTransferModel, type ModelReply, type TransferCall, type TransferModel } from "./transfer-model.ts";
import { referenceWith, transferCommand } from "./transfers.ts";

const runs = 60;
const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

// Business time stands still unless a step moves it, so that steps can hit every moment exactly.
let now = Date.UTC(2026, 10, 21, 3);
const clock: Clock = { now: () => now, real: () => Date.now(), monotonic: () => performance.now() };

const faults: Fault[] = [];
const nextFault = (possible: readonly Fault[]) => {
  const [first] = faults;
  return first !== undefined && possible.includes(first) ? faults.shift() : undefined;
};

const database = await useDatabase();
const client = new Client({ connectionString: database.ownerUrl });
await client.connect();
const engine = await createEngine({
  open: async () => faultySession(await openSession(database.url, "model"), nextFault),
  clock,
  reference: () => reference,
});
const reference = referenceWith(86_400_000);

// Every run has its own partners and accounts: the database goes on from run to run.
const partnersOf = (run: number) =>
  [1, 2].map((which) => `0190bbbb-0000-7000-8000-${String(run * 10 + which).padStart(12, "0")}`);
const seedsOf = (run: number): readonly SeedAccount[] => {
  const [one, two] = partnersOf(run) as [string, string];
  return [
    { accountNo: accountNo(run, 1), balance: 100n, partners: [one] },
    { accountNo: accountNo(run, 2), balance: 50n, partners: [one, two] },
    { accountNo: accountNo(run, 3), balance: 1n, partners: [two] },
    { accountNo: accountNo(run, 4), balance: 70n, partners: [one, two], currency: "USD" },
  ];
};
await seedAccounts(client, Array.from({ length: runs }, (_, index) => seedsOf(index + 1)).flat());

after(async () => {
  await engine.close();
  const found = await findFaults(client);
  await client.end();
  await database.drop();
  assert.deepEqual(found, []);
});

let run = 0;
/** Kinds of answers so far. */
const seen = new Set<string>();

test("random calls, account changes and broken connections: answers and balances are the model's", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 25 }), async (steps) => {
      // Shrinking may need more runs than there are accounts; the first counterexample is enough then.
      fc.pre(run < runs);
      run += 1;
      const model = modelOf(run);
      const history: CallFields[] = [];
      for (const one of steps) {
        await runStep(one, run, model, history);
        assert.deepEqual(await balances(run), modelBalances(model));
      }
    }),
    { seed, numRuns: runs, endOnFailure: true, examples: [[[...everyReply]]] },
  );
  assert.deepEqual([...seen].sort(), [
    "effect",
    "externalIdTaken",
    "numberTaken",
    "rejection",
    "sameCall",
    "sameNumber",
  ]);
  const usedAgain =
    (
      await client.query(
        "select from accepted_requests r join request_keys k on k.key = r.external_id_key and k.request_id <> r.id",
      )
    ).rowCount ?? 0;
  console.log(`${usedAgain} ids were used again after their window`);
  assert.ok(usedAgain > 0);
});

function modelOf(of: number): TransferModel {
  return createTransferModel(
    new Map(
      seedsOf(of).map(({ accountNo: no, balance, partners = [], currency = "IDR" }) => [
        no,
        { partners, currency, balance, status: "active", used: [] },
      ]),
    ),
  );
}

async function runStep(one: Step, of: number, model: TransferModel, history: CallFields[]): Promise<void> {
  switch (one.kind) {
    case "time":
      now += one.ms;
      return;
    case "calls":
      faults.push(...one.faults);
      for (const each of one.calls) history.push(callOf(each, of, history));
      await callAll(
        history
          .slice(-one.calls.length)
          .map((each) => ({ ...each, partner: partnersOf(of)[one.partner] ?? assert.fail() })),
        model,
      );
      faults.length = 0;
      return;
    case "status":
      await change(accountNo(of, one.account), { status: one.status });
      Object.assign(model.accounts.get(accountNo(of, one.account)) ?? assert.fail(), { status: one.status });
      return;
    case "limits": {
      const { each, daily, dailyCount } = one.limits;
      const limits: AccountLimits = {
        ...(each === undefined ? {} : { perTransaction: minor(BigInt(each)) }),
        ...(daily === undefined ? {} : { daily: minor(BigInt(daily)) }),
        ...(dailyCount === undefined ? {} : { dailyCount }),
      };
      await change(accountNo(of, one.account), { limits });
      const inModel = model.accounts.get(accountNo(of, one.account)) ?? assert.fail();
      Object.assign(inModel, { each: limits.perTransaction, daily: limits.daily, dailyCount });
    }
  }
}

/** Sends the calls at once, so that they share batches; the model decides them one by one. */
async function callAll(calls: readonly Omit<TransferCall, "id">[], model: TransferModel): Promise<void> {
  const commands = calls.map((each) => transferCommand(each));
  const mayLoseAnswer = faults.includes("answerLost");
  const outcomes = await Promise.all(commands.map((command) => engine.submit(command)));
  const sent = calls.map((each, index): TransferCall => ({ ...each, id: commands[index]?.id ?? "" }));
  const expected = sent.map((each) => model.decide(each, now)).map((reply) => reply());
  const replies = outcomes.map(replyOf);
  if (mayLoseAnswer) {
    // Repeats, and copies of rejected calls, leave no record: retried, they are repeats of calls behind them.
    for (const [index, each] of sent.entries()) {
      const later = expected[index]?.kind !== "effect" ? model.repeatOf(each, now) : undefined;
      if (later && isDeepStrictEqual(replies[index], later)) expected[index] = later;
    }
  }
  assert.deepEqual(replies, expected);
  for (const reply of expected) seen.add(reply.kind === "repeat" ? reply.repeat : reply.kind);
}

function replyOf(outcome: Outcome<unknown>): ModelReply | Outcome<unknown> {
  switch (outcome.kind) {
    case "effect":
      return { kind: "effect" };
    case "repeat":
      return { kind: "repeat", repeat: outcome.repeat, of: outcome.original.id };
    case "rejection":
      return { kind: "rejection", rejection: outcome.rejection.kind, at: outcome.at };
    default:
      return outcome;
  }
}

/** As an act does it in the database: a batch that has locked the account comes before or after. */
async function change(no: string, terms: { status?: AccountStatus; limits?: AccountLimits }): Promise<void> {
  if (terms.status !== undefined) {
    await client.query("update accounts set status = $2 where account_no = $1", [no, terms.status]);
  }
  if (terms.limits === undefined) return;
  const { perTransaction, daily, dailyCount } = terms.limits;
  await client.query(
    "update accounts set limit_per_transfer = $2, limit_daily = $3, limit_daily_count = $4 where account_no = $1",
    [no, perTransaction, daily, dailyCount],
  );
}

async function balances(of: number) {
  const text =
    "select account_no, balance, version, status from accounts where account_no = any($1) order by account_no";
  const { rows } = await client.query<{ account_no: string; balance: string; version: string; status: string }>(text, [
    seedsOf(of).map((each) => each.accountNo),
  ]);
  return rows.map((row) => [row.account_no, BigInt(row.balance), Number(row.version), row.status]);
}

function modelBalances(model: TransferModel) {
  return [...model.accounts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([no, { balance, status }]) => [no, balance, 1 + model.countEntries(no), status]);
}
