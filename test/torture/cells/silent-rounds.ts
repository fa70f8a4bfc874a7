/** Callers of home, one call in ten to an account of a further cell, which is away for a time: home goes on, and nothing is lost or taken twice. */
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import { compareTransit } from "../../../packages/server/src/admin/audit/compare-transit.ts";
import { homeCell } from "../../../packages/server/src/basics/ids.ts";
import { createReadPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { add, openIn, ranges, writeCells } from "../../cells/cell-fixture.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { type Answer, type Caller, newNumber } from "../../support/black-box/caller.ts";
import { openingBalance } from "../../support/black-box/production-partner.ts";
import { startProduction } from "../../support/black-box/start-production.ts";
import { transferBody, transferPath } from "../../support/black-box/transfers.ts";
import { startAddress } from "../../support/database/address.ts";
import type { OwnCluster } from "../../support/database/database.ts";
import { endPools } from "../../support/database/end-pool.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { startLoad } from "../../support/load.ts";
import { randomNumbers } from "../random-numbers.ts";
import type { TortureResult } from "../result.ts";
import { describeCalls, findAnswerFaults, type MadeCall, type Phase } from "./silent-calls.ts";

export interface SilentOptions {
  readonly home: OwnCluster;
  readonly cell: OwnCluster;
  readonly callers: number;
  /** Each phase takes so long: the cell serves, is away, and serves again. */
  readonly seconds: number;
  readonly seed: number;
  onProgress?(text: string): void;
}

const cellNumber = 1;
const accountsOfCell = Array.from({ length: 8 }, (_, index) => `51000000000${index + 1}`);
/** Share of the calls whose payee is in the cell. */
const acrossShare = 0.1;
const warmUpMs = 15_000;
/** Nobody listens there. */
const nowhere = 1;

export async function silentRounds(options: SilentOptions): Promise<TortureResult> {
  const { home, cell, seconds, onProgress } = options;
  const port = Number(new URL(cell.url).port);
  await using wire = await startAddress(port);
  const added = await add(home.url, cell.url);
  if (!added.ok) throw new Error(added.rejection.message);
  using file = writeCells(`${cellNumber} ${wire.urlOf(cell.url)} ${ranges}`);
  await using production = await startProduction({ TITIAN_CELLS: file.file }, home.url, {
    cells: [homeCell, cellNumber],
  });
  for (const accountNo of accountsOfCell)
    await openIn(cell.url, { accountNo, cell: cellNumber, partners: [], balance: openingBalance });
  const { caller } = production;
  const payment = drawPayments(caller, randomNumbers(options.seed));
  // The node serves the cell, and is warm.
  await eventually(async () => (await caller.call(transferPath, transferBody(payment(true)))).code === "2001700");
  const before = await readBalances(options);
  const known = await readExternalIds(home);

  const calls: MadeCall[] = [];
  let phase: Phase = "warm";
  const load = startLoad(options.callers, async () => {
    calls.push(await callOnce(caller, payment(), () => phase));
  });
  const pass = async (next: Phase, ms: number) => {
    phase = next;
    onProgress?.(`${next}: ${ms / 1_000} s`);
    await sleep(ms);
  };
  await pass("warm", Math.min(warmUpMs, seconds * 1_000));
  await pass("up", seconds * 1_000);
  wire.leadTo(nowhere);
  wire.cut();
  await pass("down", seconds * 1_000);
  wire.leadTo(port);
  const isBackAt = performance.now();
  const arriving = untilLevel(options).then(() => performance.now() - isBackAt);
  await pass("back", seconds * 1_000);
  await load.stop();
  const arrivedMs = await arriving;
  await untilLevel(options);
  const faults = [
    ...findAnswerFaults(calls),
    ...(await findBookingFaults(options, calls, { before, known })),
    ...(await findLedgerFaults(options)),
  ];
  return { faults: faults.slice(0, 50), summary: describeCalls(calls, { isBackAt, arrivedMs, seconds }) };
}

interface Payment {
  readonly from: string;
  readonly to: string;
  readonly value: string;
  readonly minor: bigint;
  readonly isAcross: boolean;
}

/** Payments between the caller's accounts, and to the cell. */
function drawPayments(caller: Caller, random: () => number): (isAcross?: boolean) => Payment {
  const own = caller.partner.sourceAccounts;
  const pick = (accounts: readonly string[]) => accounts[Math.floor(random() * accounts.length)] ?? "";
  return (isAcross = random() < acrossShare) => {
    const from = pick(own);
    const to = isAcross ? pick(accountsOfCell) : pick(own.filter((one) => one !== from));
    const minor = 1 + Math.floor(random() * 100);
    return { from, to, value: (minor / 100).toFixed(2), minor: BigInt(minor), isAcross };
  };
}

async function callOnce(caller: Caller, payment: Payment, phaseNow: () => Phase): Promise<MadeCall> {
  const externalId = newNumber();
  const began = phaseNow();
  const call = await caller.sign(transferPath, transferBody(payment), { externalId });
  const startedAt = performance.now();
  const answer: Answer | undefined = await caller.send(call).catch(() => undefined);
  const endedAt = performance.now();
  const { code = "none", headers } = answer ?? {};
  return {
    ...payment,
    externalId,
    began,
    ended: phaseNow(),
    ms: endedAt - startedAt,
    endedAt,
    code,
    retryAfter: headers?.["retry-after"] as string | undefined,
  };
}

type Balances = ReadonlyMap<string, bigint>;

/** Customers' accounts in both databases, in minor units. */
async function readBalances({ home, cell }: Pick<SilentOptions, "home" | "cell">): Promise<Balances> {
  const text = "select account_no, balance from accounts where purpose = 'customer'";
  const rows = [...(await queryRows(home.ownerUrl, text)), ...(await queryRows(cell.ownerUrl, text))] as readonly {
    readonly account_no: string;
    readonly balance: string;
  }[];
  return new Map(rows.map(({ account_no: accountNo, balance }) => [accountNo, BigInt(balance)]));
}

async function readExternalIds({ ownerUrl }: OwnCluster): Promise<ReadonlySet<string>> {
  const rows = await queryRows(ownerUrl, "select external_id from accepted_requests");
  return new Set((rows as readonly { readonly external_id: string }[]).map((row) => row.external_id));
}

interface Before {
  readonly before: Balances;
  /** External ids of requests that were accepted before. */
  readonly known: ReadonlySet<string>;
}

/** Each call that was answered with success is booked on both accounts, and nothing else is. */
async function findBookingFaults(
  options: SilentOptions,
  calls: readonly MadeCall[],
  { before, known }: Before,
): Promise<readonly string[]> {
  const accepted = calls.filter(({ code }) => code === "2001700");
  const ids = new Set(accepted.map(({ externalId }) => externalId));
  const recorded = await readExternalIds(options.home);
  const faults = [...ids].filter((id) => !recorded.has(id)).map((id) => `${id} was accepted, and is not recorded`);
  for (const id of recorded)
    if (!ids.has(id) && !known.has(id)) faults.push(`${id} is recorded, and was not answered with success`);
  const expected = new Map(before);
  const addTo = (accountNo: string, minor: bigint) => expected.set(accountNo, (expected.get(accountNo) ?? 0n) + minor);
  for (const { from, to, minor } of accepted) {
    addTo(from, -minor);
    addTo(to, minor);
  }
  for (const [accountNo, balance] of await readBalances(options)) {
    if (balance !== expected.get(accountNo))
      faults.push(`${accountNo} has ${balance} in place of ${expected.get(accountNo)}`);
  }
  return faults;
}

async function findLedgerFaults({ home, cell }: SilentOptions): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { ownerUrl } of [home, cell]) {
    const { findings } = await runAudit(ownerUrl);
    for (const { check, subject, found } of findings) faults.push(`${check} ${subject}: ${found}`);
  }
  const pools = [createReadPool(home.ownerUrl, 1), createReadPool(cell.ownerUrl, 1)] as const;
  for (const { check, found } of await compareTransit(...pools, homeCell, cellNumber))
    faults.push(`${check}: ${found}`);
  await endPools(...pools);
  return faults;
}

/** Until the cell has all that home had sent it when this was called. */
async function untilLevel({ home, cell }: SilentOptions): Promise<void> {
  const versionOf = async ({ ownerUrl }: OwnCluster, accountNo: string) => {
    const [row] = await queryRows(ownerUrl, `select version from accounts where account_no = '${accountNo}'`);
    return Number((row as { readonly version?: string } | undefined)?.version ?? 0);
  };
  const sent = await versionOf(home, "transit:out:IDR:01");
  await eventually(async () => (await versionOf(cell, "transit:in:IDR:00")) >= sent, 5);
}
