/**
 * Fills a database with intrabank transfers as the service would have written them, by its own statements, a thousand
 * transfers each. Accounts pay and are paid in turn, so that all of them have as many entries and keep their balance.
 */
import { operations } from "@titian/contract";
import {
  externalIdKey,
  partnerReferenceKey,
  requestFingerprint,
  shortBodyHash,
} from "../../packages/server/src/engine/batch/idempotency-keys.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { businessDay } from "../../packages/server/src/ledger/business-day.ts";
import { postingKinds } from "../../packages/server/src/ledger/posting.ts";
import { beginTransaction, openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import {
  insertAcceptedRequests,
  keysOfRequests,
  type NewAcceptedRequest,
} from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import { type Entry, insertEntries } from "../../packages/server/src/store/tables/entries.ts";
import { insertRequestKeys } from "../../packages/server/src/store/tables/requests/request-keys.ts";
import { query } from "../database/databases.ts";
import { intrabankBody } from "../load/request-bodies.ts";
import { createIds } from "../transfers/unique-ids.ts";
import type { LedgerSettings } from "../workers/load-settings.ts";
import { type Side, transferAt } from "./pay-in-turn.ts";

const service = Number(operations.intrabankTransfer.code);
const currency = "IDR";
const amount = 100n;
const chunk = 1_000;
/** Nothing looks at it but a repeat. */
const bodyHash = shortBodyHash("ab".repeat(32));

interface FilledAccount {
  readonly id: string;
  readonly accountNo: string;
  readonly balance: bigint;
  /** Before the fill. */
  readonly version: number;
}

interface Filling {
  readonly partner: string;
  readonly accounts: readonly FilledAccount[];
  readonly nextId: () => string;
}

/** Adds at least so many transfers: every account pays as many. The accounts must not be in use. */
export async function fillTransfers({ url, partner }: LedgerSettings, transfers: number): Promise<void> {
  if (transfers === 0) return;
  const accounts = await readAccounts(url);
  const rounds = Math.ceil(transfers / accounts.length);
  const filling: Filling = { partner, accounts, nextId: createIds() };
  const session = await openSession(url, "bench fill");
  try {
    let written = Promise.resolve();
    for (let first = 0; first < rounds * accounts.length; first += chunk) {
      // Made while the chunk before is written.
      const rows = makeRows(filling, first, Math.min(chunk, rounds * accounts.length - first));
      await written;
      written = writeRows(session, rows);
      // Awaited above, or below.
      written.catch(() => undefined);
    }
    await written;
  } finally {
    await session.close();
  }
  await recordUse(url, rounds);
}

async function readAccounts(url: string): Promise<readonly FilledAccount[]> {
  const rows = await query(
    url,
    "select id, account_no, balance::text, version::int from accounts where account_no like '77%' order by account_no",
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    accountNo: String(row["account_no"]),
    balance: BigInt(String(row["balance"])),
    version: Number(row["version"]),
  }));
}

interface Rows {
  readonly requests: readonly NewAcceptedRequest[];
  readonly entries: readonly Entry[];
}

function makeRows({ partner, accounts, nextId }: Filling, first: number, count: number): Rows {
  const requests: NewAcceptedRequest[] = [];
  const entries: Entry[] = [];
  for (let number = first; number < first + count; number += 1) {
    const { payer, payee } = transferAt(number, accounts.length);
    const [from, to] = [accountAt(accounts, payer), accountAt(accounts, payee)];
    const id = newId();
    const external = nextId();
    requests.push({
      id,
      partner,
      service,
      externalId: external,
      externalIdKey: externalIdKey(partner, external),
      partnerReferenceKey: partnerReferenceKey(partner, String(service), external),
      bodyHash,
      requestFingerprint: requestFingerprint([amount.toString(), currency, from.accountNo, to.accountNo]),
      payload: JSON.stringify({ request: intrabankBody(external, { from: from.accountNo, to: to.accountNo }) }),
      freeForm: undefined,
      at: Date.now(),
    });
    entries.push(entryOf(id, from, payer, -amount), entryOf(id, to, payee, amount));
  }
  return { requests, entries };
}

/** Between its two entries of a round, an account has what the first of them left. */
function entryOf(journalId: string, account: FilledAccount, { earlier, isSecond }: Side, moved: bigint): Entry {
  return {
    accountId: account.id,
    version: account.version + earlier + 1,
    journalId,
    kind: postingKinds.transfer,
    currency,
    amount: moved,
    balanceAfter: isSecond ? account.balance : account.balance + moved,
  };
}

async function writeRows(session: Session, { requests, entries }: Rows): Promise<void> {
  const at = new Date().toISOString();
  const [, , , , committed] = await session.roundTrip(() =>
    Promise.all([
      beginTransaction(session),
      insertRequestKeys(session, keysOfRequests(requests)),
      insertAcceptedRequests(session, requests, at),
      insertEntries(session, entries, at),
      session.commit(),
    ]),
  );
  if (!committed) throw new Error("The transfers of the fill were rolled back.");
}

/** The accounts' rows as that many transfers leave them: balances are what they were. */
async function recordUse(url: string, rounds: number): Promise<void> {
  await query(
    url,
    `update accounts set version = version + ${2 * rounds}, daily_debit_date = ${businessDay(Date.now())},
        daily_debit_total = ${BigInt(rounds) * amount}, daily_debit_count = ${rounds}
      where account_no like '77%'`,
  );
}

function accountAt(accounts: readonly FilledAccount[], { position }: Side): FilledAccount {
  const account = accounts[position];
  if (account === undefined) throw new Error(`There is no account at ${position}.`);
  return account;
}
