/** Two cells before and after an outage: what was answered with success stands in them, to the cent, and nothing else does. */
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { compareTransit } from "../../../packages/server/src/admin/audit/compare-transit.ts";
import { homeCell } from "../../../packages/server/src/basics/ids.ts";
import { internalAccountNo } from "../../../packages/server/src/ledger/accounts/internal-accounts.ts";
import { createReadPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { endPools } from "../../support/database/end-pool.ts";
import { queryRows } from "../../support/database/with-client.ts";
import type { MadeCall } from "./outage-calls.ts";

export interface Databases {
  readonly home: { readonly ownerUrl: string };
  /** Cell 1. */
  readonly cell: { readonly ownerUrl: string };
}

export const cellNumber = 1;

export interface Books {
  /** Customers' accounts of both, in minor units. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** External ids of the requests that were accepted in either, each as often as it was. */
  readonly accepted: readonly string[];
}

export async function readBooks({ home, cell }: Databases): Promise<Books> {
  const balances = new Map<string, bigint>();
  const accepted: string[] = [];
  for (const { ownerUrl } of [home, cell]) {
    const accounts = await queryRows(ownerUrl, "select account_no, balance from accounts where purpose = 'customer'");
    for (const row of accounts as readonly { readonly account_no: string; readonly balance: string }[])
      balances.set(row.account_no, BigInt(row.balance));
    const requests = await queryRows(ownerUrl, "select external_id from accepted_requests");
    for (const row of requests as readonly { readonly external_id: string }[]) accepted.push(row.external_id);
  }
  return { balances, accepted };
}

/** `accepted`: calls that took effect, each booked on both accounts once. */
export function findBookingFaults(before: Books, after: Books, accepted: readonly MadeCall<string>[]): string[] {
  const ids = new Set(accepted.map(({ externalId }) => externalId));
  const recorded = new Set(after.accepted);
  const known = new Set(before.accepted);
  const faults = [...ids].filter((id) => !recorded.has(id)).map((id) => `${id} was accepted, and is not recorded`);
  if (recorded.size !== after.accepted.length) faults.push("an external id is recorded twice");
  for (const id of recorded)
    if (!ids.has(id) && !known.has(id)) faults.push(`${id} is recorded, and was not answered with success`);
  const expected = new Map(before.balances);
  const addTo = (accountNo: string, minor: bigint) => expected.set(accountNo, (expected.get(accountNo) ?? 0n) + minor);
  for (const { from, to, minor } of accepted) {
    addTo(from, -minor);
    addTo(to, minor);
  }
  for (const [accountNo, balance] of after.balances) {
    if (balance !== expected.get(accountNo))
      faults.push(`${accountNo} has ${balance} in place of ${expected.get(accountNo)}`);
  }
  return faults;
}

/** Findings of both audits, and differences between what each cell sent and what the other has of it. */
export async function findLedgerFaults({ home, cell }: Databases): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { ownerUrl } of [home, cell]) {
    const { findings } = await runAudit(ownerUrl);
    for (const { check, subject, found } of findings) faults.push(`${check} ${subject}: ${found}`);
  }
  const [ofHome, ofCell] = [createReadPool(home.ownerUrl, 1), createReadPool(cell.ownerUrl, 1)];
  const compared = [
    ...(await compareTransit(ofHome, ofCell, homeCell, cellNumber)),
    ...(await compareTransit(ofCell, ofHome, cellNumber, homeCell)),
  ];
  await endPools(ofHome, ofCell);
  return [...faults, ...compared.map(({ check, found }) => `${check}: ${found}`)];
}

/** Until each has all that the other had sent it when this was called. */
export async function untilLevel({ home, cell }: Databases): Promise<void> {
  const versionOf = async (ownerUrl: string, accountNo: string) => {
    const [row] = await queryRows(ownerUrl, `select version from accounts where account_no = '${accountNo}'`);
    return Number((row as { readonly version?: string } | undefined)?.version ?? 0);
  };
  const ends = [
    { sender: home.ownerUrl, from: homeCell, receiver: cell.ownerUrl, to: cellNumber },
    { sender: cell.ownerUrl, from: cellNumber, receiver: home.ownerUrl, to: homeCell },
  ];
  for (const { sender, from, receiver, to } of ends) {
    const sent = await versionOf(sender, internalAccountNo("transit", "IDR", "out", to));
    const arrivedIn = internalAccountNo("transit", "IDR", "in", from);
    await eventually(async () => (await versionOf(receiver, arrivedIn)) >= sent, 5);
  }
}
