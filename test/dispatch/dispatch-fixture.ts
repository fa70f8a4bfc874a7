/** A database with payers on it, and what became of their transfers as the database has it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createEngine } from "../../packages/server/src/engine/engine.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import type { CallRejectionKind } from "../../packages/server/src/ledger/rejection.ts";
import type { TransferState } from "../../packages/server/src/ledger/transfers/states.ts";
import { createAdminPool, createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { openSession } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { type NodeCall, type NodeOperation, reference } from "./nodes/dispatch-node.ts";

/** Balance that a payer starts with, beside the amount that each call asks for; minor units. */
export const openingBalance = 100_000_000n;
export const askedAmount = 1_000_000n;

export interface TransferRow {
  readonly id: string;
  readonly service: number;
  readonly day: number;
  readonly state: TransferState;
  readonly rejection: CallRejectionKind | null;
  readonly isResolvedSynchronously: boolean;
  /** Notifications to partners: `76 00`, in order. */
  readonly notified: readonly string[];
}

export interface BulkRow {
  readonly id: string;
  readonly itemCount: number;
  readonly settledCount: number;
  readonly rejectedCount: number;
  readonly returnedCount: number;
  readonly isEnded: boolean;
  readonly notified: readonly string[];
}

export interface PayerRows {
  readonly balance: bigint;
  /** Debits that count against a business day of it. */
  readonly used: { readonly day: number; readonly total: bigint; readonly count: number };
  /** The oldest first. */
  readonly transfers: readonly TransferRow[];
  readonly bulks: readonly BulkRow[];
}

export interface DispatchFixture extends AsyncDisposable {
  readonly url: string;
  readonly partner: string;
  /** A new payer's account number; by default of the fixture's partner. */
  openPayer(by?: string): Promise<string>;
  look(payer: string): Promise<PayerRows>;
  /** Counts transfers that await a result. */
  countOpen(): Promise<number>;
  /** An operator's connections, who proposes. */
  readonly administration: Pool;
  /** Sum of all suspense accounts. */
  inSuspense(): Promise<bigint>;
  query(text: string): Promise<readonly Readonly<Record<string, string | null>>[]>;
}

/** On a migrated, empty database; absent: one of its own. */
export async function createDispatchFixture(given?: { readonly url: string }): Promise<DispatchFixture> {
  const own = given ? undefined : await useDatabase();
  const { url } = given ?? own ?? assert.fail("no database");
  const clock = createClock();
  const reads = createReadPool(url, 4);
  const database = createAdminPool(administrationUrlOf(url), 1);
  const open = () => openSession(url, "fixture");
  const actEngine = await createEngine({ open, clock, reference: () => reference });
  const client = new Pool({ connectionString: url, max: 2 });
  // A connection may be cut while nobody uses it.
  client.on("error", () => undefined);
  const partner = newId();
  const query: DispatchFixture["query"] = async (text) => (await client.query(text)).rows;
  return {
    url,
    administration: database,
    partner,
    query,
    openPayer: async (by = partner) => {
      const terms = { name: "A payer", currency: "IDR", type: "S", partners: [by] } as const;
      const opened = await openAccount(
        { actEngine, database, clock, reads },
        { ...terms, balance: minor(openingBalance) },
      );
      if (!opened.ok) throw new Error(opened.rejection.message);
      return opened.value.accountNo;
    },
    look: (payer) => lookAt(client, payer),
    countOpen: async () => Number((await query("select count(*) as open from transfers where is_open"))[0]?.["open"]),
    inSuspense: async () => {
      const sum = "select coalesce(sum(balance), 0)::text as sum from accounts where purpose = 'suspense'";
      return BigInt((await query(sum))[0]?.["sum"] ?? "-1");
    },
    [Symbol.asyncDispose]: async () => {
      await actEngine.close();
      await Promise.all([reads.end(), database.end(), client.end()]);
      await own?.drop();
    },
  };
}

async function lookAt(client: Pool, payer: string): Promise<PayerRows> {
  const accounts = await client.query<{
    id: string;
    balance: string;
    daily_debit_date: number;
    daily_debit_total: string;
    daily_debit_count: number;
  }>("select id, balance, daily_debit_date, daily_debit_total, daily_debit_count from accounts where account_no = $1", [
    payer,
  ]);
  const [account] = accounts.rows;
  if (!account) throw new Error(`no payer ${payer}`);
  const notified = (id: string) =>
    `array(select o.service || ' ' || o.status from outbox o where o.aggregate_id = ${id} order by o.id) as notified`;
  const { rows } = await client.query<TransferRow>(
    `select t.id, t.service, t.business_date as day, t.state, t.reject_reason as rejection,
        t.resolved_synchronously as "isResolvedSynchronously", ${notified("t.id")}
      from transfers t where t.source_account_id = $1 order by t.id`,
    [account.id],
  );
  const bulks = await client.query<BulkRow>(
    `select b.id, item_count as "itemCount", settled_count as "settledCount", rejected_count as "rejectedCount",
        returned_count as "returnedCount", ended_at is not null as "isEnded", ${notified("b.id")}
      from bulks b where b.source_account_id = $1 order by b.id`,
    [account.id],
  );
  return {
    balance: BigInt(account.balance),
    used: { day: account.daily_debit_date, total: BigInt(account.daily_debit_total), count: account.daily_debit_count },
    transfers: rows,
    bulks: bulks.rows,
  };
}

/** Time until a morning in Jakarta (ms): a run that begins there stays within one business day. */
export function morningOffset(): number {
  const now = Date.now();
  const dayMs = 86_400_000;
  return Math.ceil(now / dayMs) * dayMs + 3_600_000 - now;
}

const clearing = { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "1" };

interface From {
  readonly payer: string;
  readonly partner: string;
  /** Amount of each item of a bulk; default `10000.00`. */
  readonly value?: string;
}

/** A call nobody made before, to the account of a conduct. */
export function callTo(name: NodeOperation, conduct: string, from: From): NodeCall {
  if (name === "interbankBulkTransfer") return bulkTo([conduct], from);
  const partnerReferenceNo = randomUUID();
  const { payer: sourceAccountNo, partner } = from;
  return {
    name,
    partner,
    externalId: partnerReferenceNo,
    request: {
      partnerReferenceNo,
      ...paymentTo(conduct),
      beneficiaryBankCode: "014",
      sourceAccountNo,
      transactionDate,
      ...(name === "interbankTransfer" ? {} : clearing),
    },
  };
}

/** A bulk nobody sent before, with an item to the account of each conduct. */
export function bulkTo(conducts: readonly string[], { payer: sourceAccountNo, partner, value }: From): NodeCall {
  const partnerBulkId = randomUUID();
  const bulkObject = conducts.map((conduct, position) => ({
    partnerReferenceNo: `${partnerBulkId}-${position}`,
    bankCode: "014",
    ...paymentTo(conduct, value),
  }));
  return {
    name: "interbankBulkTransfer",
    partner,
    externalId: partnerBulkId,
    request: { customerReference: "PAYROLL", sourceAccountNo, transactionDate, bulkObject, partnerBulkId },
  };
}

const transactionDate = "2026-11-21T10:00:00+07:00";

const paymentTo = (conduct: string, value = "10000.00") => ({
  amount: { value, currency: "IDR" },
  beneficiaryAccountNo: conduct,
  beneficiaryAccountName: "Siti Nur Aini",
});
