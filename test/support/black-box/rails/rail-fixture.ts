/** A sandbox whose partners send money to other banks: payers of a test's own, rails that are steered, a week that is known. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Caller, Json } from "../caller.ts";
import type { Control } from "../control.ts";
import { difference, moneyAt, type RailMoney } from "./rail-money.ts";
import type { RailName, RailService } from "./rail-services.ts";
import { railBody } from "./rail-transfers.ts";
import { type Sandbox, startSandbox } from "../start-sandbox.ts";
import { expectCode } from "../transfers.ts";
import { dayMs, nextMonday } from "../../working-day.ts";

export interface RailFixture extends AsyncDisposable {
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

export async function startRailFixture(env: Readonly<Record<string, string>> = {}): Promise<RailFixture> {
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

/** Dates from the next Monday on, whenever the tests run. */
function weekAhead(): (day: number) => string {
  const monday = nextMonday();
  return (day) => new Date((monday + day) * dayMs).toISOString().slice(0, 10);
}
