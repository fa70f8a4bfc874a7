/** A sandbox whose partners send money to other banks: payers of a test's own, rails that are steered, a week that is known. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type Caller, type Json, newNumber } from "./caller.ts";
import { type Control, toMinor } from "./control.ts";
import { type Sandbox, startSandbox } from "./start-sandbox.ts";
import { eventually } from "./payment-scene.ts";
import { expectCode, statusPath } from "./transfers.ts";

export type RailName = "interbank" | "rtgs" | "skn";

/** A service that sends over a rail, with an amount it carries and its fee as the release has it. */
export interface RailService {
  readonly service: "18" | "22" | "23";
  readonly path: string;
  readonly rail: RailName;
  /** Decimal text in IDR, and the same in minor units. */
  readonly value: string;
  readonly amount: bigint;
  readonly fee: bigint;
}

const of = (
  service: RailService["service"],
  path: string,
  rail: RailName,
  value: string,
  fee: string,
): RailService => ({
  service,
  path,
  rail,
  value,
  amount: toMinor(value),
  fee: toMinor(fee),
});

export const interbank = of("18", "transfer-interbank", "interbank", "10000.00", "2500.00");
export const rtgs = of("22", "transfer-rtgs", "rtgs", "150000000.00", "25000.00");
export const skn = of("23", "transfer-skn", "skn", "10000.00", "2900.00");
export const railServices = [interbank, rtgs, skn] as const;

export const idr = (value: string) => ({ value, currency: "IDR" });

/** A valid body of 18, 22 or 23, to an account that no scenario is about. */
export function railBody({ service, value }: RailService, from: string, more: Json = {}): Json {
  return {
    partnerReferenceNo: newNumber(),
    amount: idr(value),
    beneficiaryAccountNo: "7001001001",
    beneficiaryAccountName: "Siti Nur Aini",
    beneficiaryBankCode: "014",
    sourceAccountNo: from,
    transactionDate: "2026-11-21T10:00:00+07:00",
    ...(service !== "18" && { beneficiaryCustomerResidence: "1", beneficiaryCustomerType: "2" }),
    ...more,
  };
}

/** Ledger balances, or what was added to them: of the payer, and of our own accounts for the rail. Minor units. */
export interface RailMoney {
  readonly payer: bigint;
  readonly suspense: bigint;
  readonly clearing: bigint;
  readonly fee: bigint;
}

/** What a transfer of the service's amount, with the fee on top, adds to each account in each place it can be. */
export function moneyOf({ amount, fee }: Pick<RailService, "amount" | "fee">) {
  const taken = amount + fee;
  const none: RailMoney = { payer: 0n, suspense: 0n, clearing: 0n, fee: 0n };
  return {
    none,
    inTransit: { ...none, payer: -taken, suspense: taken },
    settled: { ...none, payer: -taken, clearing: amount, fee },
    returned: { ...none, payer: -fee, fee },
  } as const satisfies Record<string, RailMoney>;
}

export interface RailScene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly control: Control;
  readonly alpha: Caller;
  readonly beta: Caller;
  /** Account number of a new payer: of alpha's, unless another partner is named; `more` are fields of the control call. */
  newPayer(balance?: string, more?: Json): Promise<string>;
  /** A time of the week ahead: day 0 is its Monday, day 2 a holiday, day 7 the Monday after. Ends in `+07:00`. */
  at(day: number, time: string): string;
  /** Moves the clock, and gives the callers tokens that are valid then; answers what is left to do. */
  moveTo(time: string): Promise<number>;
  advance(seconds: number): Promise<number>;
  setMode(rail: RailName, mode: "normal" | "slow" | "limbo" | "down"): Promise<void>;
  /** Account of a scenario of `sandbox.json`. */
  accountOf(outcome: string): string;
  /** Looks at the accounts; each call of what it answers tells what was added to them since. */
  watch(rail: RailName, payer: string): Promise<() => Promise<RailMoney>>;
  /** Sends the service's amount by alpha, which must be answered so. */
  send(service: RailService, payer: string, more: Json, code: string): Promise<Answer>;
}

export async function startRailScene(env: Readonly<Record<string, string>> = {}): Promise<RailScene> {
  const week = weekAhead();
  const sandbox = await startWithHolidays([{ date: week(2), name: "A day off" }], env);
  const { control, file } = sandbox;
  const callers = { alpha: sandbox.caller("alpha"), beta: sandbox.caller("beta") };
  const move = async (body: Json) => {
    const { pending } = await control.call<{ readonly pending: number }>("POST", "clock", body);
    await Promise.all(Object.values(callers).map((caller) => caller.token({ fresh: true })));
    return pending;
  };
  return {
    sandbox,
    control,
    ...callers,
    newPayer: async (balance = "1000000000.00", more = {}) =>
      (await control.open({ name: "A payer", balance, partnerId: "alpha", ...more })).accountNo,
    at: (day, time) => `${week(day)}T${time}+07:00`,
    moveTo: (time) => move({ set: time }),
    advance: (seconds) => move({ advanceSeconds: seconds }),
    setMode: async (rail, mode) => void (await control.call("POST", `rails/${rail}/mode`, { mode })),
    accountOf: (outcome) =>
      file.scenarios.find((one) => one.outcome === outcome)?.beneficiaryAccountNo ?? assert.fail(outcome),
    watch: async (rail, payer) => {
      const before = await moneyAt(control, rail, payer);
      return async () => difference(await moneyAt(control, rail, payer), before);
    },
    send: async (service, payer, more, code) => {
      const answer = await callers.alpha.call(service.path, railBody(service, payer, more));
      expectCode(answer, code);
      return answer;
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** The file is read at the start, and of no use after it. */
async function startWithHolidays(holidays: readonly Json[], env: Readonly<Record<string, string>>): Promise<Sandbox> {
  const directory = mkdtempSync(join(tmpdir(), "titian-holidays-"));
  const path = join(directory, "holidays.json");
  writeFileSync(path, JSON.stringify(holidays));
  try {
    return await startSandbox({ TITIAN_HOLIDAYS_FILE: path, ...env });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const dayMs = 86_400_000;
const jakartaMs = 7 * 3_600_000;

/** Dates from the next Monday on, whenever the tests run. */
function weekAhead(): (day: number) => string {
  const today = new Date(Date.now() + jakartaMs);
  const monday = today.getTime() + ((8 - today.getUTCDay()) % 7 || 7) * dayMs;
  return (day) => new Date(monday + day * dayMs).toISOString().slice(0, 10);
}

/** Ledger balances as they are. */
export async function moneyAt(control: Control, rail: RailName, payer: string): Promise<RailMoney> {
  const own = (purpose: string) => balanceOf(control, `${purpose}:${rail}:IDR`);
  const [atPayer, suspense, clearing, fee] = await Promise.all([
    balanceOf(control, payer),
    own("suspense"),
    own("clearing"),
    own("fee"),
  ]);
  return { payer: atPayer, suspense, clearing, fee };
}

/** Our own accounts are opened when first needed: nothing is on one that is not there. */
async function balanceOf(control: Control, accountNo: string): Promise<bigint> {
  try {
    return toMinor((await control.account(encodeURIComponent(accountNo))).ledgerBalance);
  } catch (error) {
    if (error instanceof Error && error.message.includes("unknownAccount")) return 0n;
    throw error;
  }
}

function difference(now: RailMoney, before: RailMoney): RailMoney {
  return {
    payer: now.payer - before.payer,
    suspense: now.suspense - before.suspense,
    clearing: now.clearing - before.clearing,
    fee: now.fee - before.fee,
  };
}

/** What 36 says of the transfer that an answer of 18, 22 or 23 is about. */
export function inquire(caller: Caller, { service }: RailService, { body }: Answer): Promise<Answer> {
  const { partnerReferenceNo } = body;
  return caller.call(statusPath, { serviceCode: service, originalPartnerReferenceNo: partnerReferenceNo });
}

/** Asserts the status that 36 tells of it. */
export async function expectStatus(
  caller: Caller,
  service: RailService,
  answer: Answer,
  status: string,
): Promise<Answer> {
  const told = await inquire(caller, service, answer);
  assert.equal(told.body["latestTransactionStatus"], status, told.text);
  return told;
}

/** Waits until 36 tells the status: what happens behind an answer takes a moment. */
export function untilStatus(caller: Caller, service: RailService, answer: Answer, status: string): Promise<void> {
  return eventually(async () => (await inquire(caller, service, answer)).body["latestTransactionStatus"] === status);
}
