/** A sandbox whose partners authorize payments: payers and merchants of a test's own, and what stands before and after. */
import assert from "node:assert/strict";
import { runCli } from "../../cli/run-cli.ts";
import { type Caller, type Json, newNumber } from "../caller.ts";
import { eventually } from "../answers.ts";
import type { AccountState, Control } from "../control.ts";
import { paths, paymentBody } from "./hold-bodies.ts";
import { holdOf, type HoldState, type Payment } from "./holds.ts";
import { startOnce } from "../../shared.ts";
import { type Sandbox, startSandbox } from "../start-sandbox.ts";

/** An account with money, and the `additionalInfo` of a 63 that names it. */
export interface Payer {
  readonly accountNo: string;
  readonly additionalInfo: Json;
}

export interface Merchant {
  readonly merchantId: string;
  readonly settlement: string;
}

/** A hold and its two accounts. */
export interface Standing {
  readonly hold: HoldState;
  readonly payer: AccountState;
  readonly settlement: AccountState;
}

export interface PaymentFixture extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly control: Control;
  readonly alpha: Caller;
  readonly beta: Caller;
  /** Alpha's seeded merchants: the hotel has a default amount, the merchant has none. */
  readonly hotel: Merchant;
  readonly merchant: Merchant;
  /** Moves the clock, and gives the callers tokens that are valid then. */
  advance(seconds: number): Promise<void>;
  /** Opens a payer of alpha's, unless another partner is named; `more` are fields of the control call. */
  newPayer(balance?: string, more?: Json): Promise<Payer>;
  /**
   * Registers a merchant of alpha's, whose settlement account alpha may debit: payer and default amount are by `flags`.
   */
  newMerchant(...flags: readonly string[]): Promise<Merchant>;
  /** Runs the CLI on the sandbox's database; it must succeed. */
  titian(...args: readonly string[]): Promise<void>;
}

export async function startPaymentFixture(env: Readonly<Record<string, string>> = {}): Promise<PaymentFixture> {
  const sandbox = await startSandbox(env);
  return paymentFixtureOf(sandbox, { alpha: sandbox.caller("alpha"), beta: sandbox.caller("beta") });
}

/** One for all files of the process: what a test looks at is of its own. */
export const sharePaymentFixture = startOnce(() => startPaymentFixture());

/** On a sandbox that runs, which it owns from then on. */
export function paymentFixtureOf(
  sandbox: Sandbox,
  { alpha, beta }: Pick<PaymentFixture, "alpha" | "beta">,
): PaymentFixture {
  const { control, file, dataDir } = sandbox;
  const merchantOf = (position: number): Merchant => {
    const found = file.merchants.find(({ merchantId }) => merchantId === alpha.partner.merchants[position]);
    return found ? { merchantId: found.merchantId, settlement: found.settlementAccountNo } : assert.fail("no merchant");
  };
  const titian = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await runCli(args, { env: { TITIAN_DATA_DIR: dataDir } });
    assert.equal(exitCode, 0, `titian ${args.join(" ")}: ${stderr}`);
  };
  const newPayer = async (balance = "1000.00", more: Json = {}): Promise<Payer> => {
    const { accountNo } = await control.open({ name: "A payer", balance, partnerId: "alpha", ...more });
    return { accountNo, additionalInfo: { sourceAccountNo: accountNo } };
  };
  const newMerchant = async (...flags: readonly string[]): Promise<Merchant> => {
    const merchantId = `M-${newNumber()}`;
    const { accountNo: settlement } = await newPayer("0.00");
    const terms = ["--partner", "alpha", "--name", "A merchant", "--settlement-account", settlement, ...flags];
    await titian("merchant", "add", merchantId, ...terms);
    const pay = () =>
      alpha.call(paths.payment, paymentBody(merchantId, { amount: { value: "0.00", currency: "IDR" } }));
    await eventually(async () => (await pay()).code !== "4046308");
    return { merchantId, settlement };
  };
  return {
    sandbox,
    control,
    alpha,
    beta,
    advance: async (seconds) => {
      await control.advance(seconds);
      await Promise.all([alpha, beta].map((caller) => caller.token({ fresh: true })));
    },
    hotel: merchantOf(0),
    merchant: merchantOf(1),
    newPayer,
    newMerchant,
    titian,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

/** State of a hold and of the money around it. */
export async function standingOf(
  { control }: Pick<PaymentFixture, "control">,
  payment: Payment,
  { accountNo }: Pick<Payer, "accountNo">,
  { settlement }: Pick<Merchant, "settlement">,
): Promise<Standing> {
  const [hold, payer, merchants] = await Promise.all([
    holdOf(control, payment),
    control.account(accountNo),
    control.account(settlement),
  ]);
  return { hold, payer, settlement: merchants };
}
