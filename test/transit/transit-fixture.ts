/** Two cells of one process: a database, an engine and accounts `1` to `20` each, and shippers from the first to the second. */
import assert from "node:assert/strict";
import { Client } from "pg";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { Command, Outcome } from "../../packages/server/src/engine/command.ts";
import { createEngine, type Engine } from "../../packages/server/src/engine/engine.ts";
import type { Account } from "../../packages/server/src/ledger/accounts/account.ts";
import { internalAccountNo } from "../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { businessDay } from "../../packages/server/src/ledger/business-day.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { decideTransferAcrossCells } from "../../packages/server/src/ledger/transit/pay-across-cells.ts";
import { createTransitPool } from "../../packages/server/src/store/postgres/connect.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import type { LostAccounts } from "../../packages/server/src/transit/receive-account.ts";
import { type ShipTransitDeps, startTransitShipper } from "../../packages/server/src/transit/ship-transit.ts";
import { noTransitEvents, type TransitEvents } from "../../packages/server/src/transit/transit-events.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { account, partner, referenceWith, transferCommand } from "../engine/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
import { endPools } from "../support/database/end-pool.ts";

const clock = createClock();
const [payerCell, payeeCell] = [1, 2];
export const outNo = internalAccountNo("transit", "IDR", "out", payeeCell);
export const inNo = internalAccountNo("transit", "IDR", "in", payerCell);

/** As operation 17 stores it, the cell first; the version is for the tests. */
export interface TransitPayload {
  readonly cell: number;
  readonly request: object;
  readonly transitVersion: number;
}

export interface Across {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly externalId?: string;
  /** The command's; by default a new one. */
  readonly id?: string;
  /** By default later than that of every payment before. */
  readonly sentAt?: number;
  /** The payee's cell; by default 2. */
  readonly cell?: number;
  /** By default IDR. */
  readonly currency?: string;
  /** As the payee's cell had it; by default an account of that number. */
  readonly seen?: Account | undefined;
}

let payments = 0;

/** A payment across cells, as operation 17 will make it. */
export function acrossCommand({
  from,
  to,
  amount,
  externalId,
  currency = "IDR",
  seen = account(to, { currency }),
  cell = payeeCell,
  ...rest
}: Across): Command<TransitPayload> {
  payments += 1;
  const number = externalId ?? `across-${payments}`;
  const plain = transferCommand({
    from,
    to,
    amount,
    externalId: number,
    id: newId(payerCell),
    ...rest,
  });
  const outId = newId(payerCell);
  return {
    ...plain,
    locks: { accountNumbers: [from, internalAccountNo("transit", currency, "out", cell)] },
    decide: (found, { now }) => {
      const order = { partner, amount: minor(amount), currency, day: businessDay(now), cell };
      const out = { found: found.internalAccount("transit", currency, "out", cell), newId: outId };
      const decision = decideTransferAcrossCells(order, found.account(from), seen, out);
      if (decision.kind !== "effect") return decision;
      const { transitVersion, ...effect } = decision.effect;
      const parties = { sourceAccountNo: from, beneficiaryAccountNo: to };
      const value = `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
      const request = { partnerReferenceNo: number, amount: { value, currency }, ...parties };
      const payload = { cell, request, transitVersion };
      return { kind: "effect", effect: { ...effect, payload } };
    },
  };
}

export function startEngine(url: string): Promise<Engine> {
  const reference = referenceWith(86_400_000);
  return createEngine({ open: () => openSession(url, "transit test"), clock, reference: () => reference });
}

/** Pays so many times 1 from each account to the next one's number in the other cell. */
export async function pay(engine: Engine, count: number, to?: string): Promise<readonly Outcome<TransitPayload>[]> {
  const commands = Array.from({ length: count }, (_, index) =>
    acrossCommand({
      from: String(1 + (index % 20)),
      to: to ?? String(1 + ((index + 7) % 20)),
      amount: BigInt(1 + (index % 3)),
    }),
  );
  const outcomes = await Promise.all(commands.map((command) => engine.submit(command)));
  assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ["effect"]);
  return outcomes;
}

export interface SeededCell extends AsyncDisposable {
  readonly url: string;
  readonly ownerUrl: string;
  drop(): Promise<void>;
}

export async function useCell(): Promise<SeededCell> {
  const database = await useDatabase();
  await asOwner(database.ownerUrl, (client) => seedAccounts(client, accounts(20, 1_000_000n)));
  return database;
}

export async function asOwner<Result>(ownerUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Statements as the owner, with the ledger's triggers off. */
export const spoil = (ownerUrl: string, ...statements: readonly string[]) =>
  asOwner(ownerUrl, (client) => client.query(["set session_replication_role = replica", ...statements].join("; ")));

/** A shipper with pools of its own, and what it reported. */
export function ship(
  fromUrl: string,
  to: { readonly url: string; readonly engine: Pick<Engine, "submit">; readonly lost?: LostAccounts },
  more: Partial<ShipTransitDeps> = {},
) {
  const pools = [createTransitPool(fromUrl, 2), createTransitPool(to.url, 2)] as const;
  const told: string[] = [];
  const events: TransitEvents = {
    ...noTransitEvents,
    stopped: ({ reason }) => void told.push(`stopped: ${reason}`),
    resumed: ({ reason }) => void told.push(`resumed: ${reason}`),
    away: (cell) => void told.push(`away: ${cell}`),
    back: (cell) => void told.push(`back: ${cell}`),
  };
  const shipper = startTransitShipper({
    from: { cell: payerCell, pool: pools[0], confirmed: (read) => read() },
    to: { cell: payeeCell, pool: pools[1], engine: to.engine, lost: to.lost },
    currencies: ["IDR"],
    clock,
    events,
    ...more,
  });
  return {
    shipper,
    told,
    [Symbol.asyncDispose]: async () => {
      await shipper.close();
      await endPools(...pools);
    },
  };
}

interface Mirrored {
  readonly version: number;
  readonly sent: string | null;
  readonly arrived: string | null;
}

/** Entries that are not mirrored as they should be: each credit by account number and amount, unapplied funds as they are. */
export async function findUnmirrored(fromOwner: string, toOwner: string): Promise<readonly Mirrored[]> {
  const sent = await readEntries(
    fromOwner,
    `select e.version, e.amount || ' to ' || (r.payload::json -> 'request' ->> 'beneficiaryAccountNo') as what from entries e
       join accepted_requests r on r.id = e.journal_id where e.account_id = (select id from accounts where account_no = $1)`,
    outNo,
  );
  const arrived = await readEntries(
    toOwner,
    `select e.version, c.amount || ' to ' || a.account_no as what from entries e
       join entries c on c.journal_id = e.journal_id and c.account_id <> e.account_id join accounts a on a.id = c.account_id
       where e.account_id = (select id from accounts where account_no = $1)`,
    inNo,
  );
  const versions = [...new Set([...sent.keys(), ...arrived.keys()])].sort((one, other) => one - other);
  return versions.flatMap((version) => {
    const one = { version, sent: sent.get(version) ?? null, arrived: arrived.get(version) ?? null };
    return one.sent === one.arrived ? [] : [one];
  });
}

function readEntries(ownerUrl: string, text: string, accountNo: string): Promise<ReadonlyMap<number, string>> {
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ version: string; what: string }>(text, [accountNo]);
    return new Map(rows.map(({ version, what }) => [Number(version), what]));
  });
}
