/** Other side of a rail in its contract tests: its interface, and what all of them do with it. */
import assert from "node:assert/strict";
import { newId, toReferenceNo } from "../../../packages/server/src/basics/ids.ts";
import { instructionKey } from "../../../packages/server/src/rails/instructions/instruction-key.ts";
import type { Instruction, Rail, RailResult, RailState } from "../../../packages/server/src/rails/rail.ts";
import { eventually } from "../../support/black-box/answers.ts";
import type { RailPlan } from "./open-rail.ts";
import { confirmed } from "../../support/confirmed-commit.ts";

export type Ending = "settled" | "rejected";

/** The rail's other side, and the store that instances share. */
export interface OtherSide {
  /** For an instance in another process. */
  readonly plan: RailPlan;
  /** A new instance on the store, whatever became of those before. */
  open(): Promise<Rail>;
  /** The instances that may work on the store at the same time. */
  openAll(): Promise<readonly Rail[]>;
  /** An account of which instructions end so. */
  accountOf(ending: Ending): string;
  /** From now on it tells no end within a call. */
  silence(): Promise<void>;
  /** It works normally, and reports the end of everything it has. */
  end(): Promise<void>;
  /** It reports that what settled has come back. */
  bringBack(referenceNo: string): Promise<void>;
  /** Number of times that it has it. */
  carried(referenceNo: string): Promise<number>;
  /** It tells of an instruction, which it has and has not ended, what nobody can understand. */
  misreport(referenceNo: string): Promise<void>;
  /** Nothing reaches it any more. Answers how to undo that; instances opened before may be of no use then. */
  cut(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export function instructionTo(accountNo: string, more: Partial<Instruction> = {}): Instruction {
  return {
    referenceNo: toReferenceNo(newId()),
    idempotencyKey: instructionKey({ partner: newId(), service: 18, partnerReferenceNo: "1" }),
    amount: "150000.00",
    currency: "IDR",
    beneficiaryBankCode: "014",
    beneficiaryAccountNo: accountNo,
    beneficiaryAccountName: "Siti Rahayu",
    sourceAccountNo: "1001000001",
    details: { remark: 'Sewa "November"\nlunas' },
    validUntil: "2999-12-31T23:59:59.999+07:00",
    ...more,
  };
}

/** Enough for any call of these tests, and an end for one that hangs. */
export const timeout = () => AbortSignal.timeout(10_000);

/** Submits it so that its end comes later. */
export async function submitPending(side: OtherSide, rail: Rail, instruction: Instruction): Promise<void> {
  await side.silence();
  const enough = new AbortController();
  const ended = rail.submit(instruction, enough.signal, confirmed).catch((error: unknown) => error);
  await arrival(side, instruction);
  enough.abort();
  await ended;
}

/** Resolves when the other side has it. */
export async function arrival(side: OtherSide, { referenceNo }: Instruction): Promise<void> {
  await eventually(async () => (await side.carried(referenceNo)) > 0, 1);
}

export function kindOf(state: RailState | undefined): string {
  if (state?.traceNo !== undefined) assert.match(state.traceNo, /^.{1,16}$/);
  return state === undefined ? "unknown" : state.kind;
}

export function textsOf(results: readonly RailResult[]): readonly string[] {
  return results.map(({ referenceNo, state }) => `${referenceNo} ${kindOf(state)}`);
}

/** Everything that was submitted has ended, and its results are acknowledged. */
export async function endAll(side: OtherSide, rail: Rail): Promise<void> {
  await side.end();
  while ((await rail.waiting()) > 0) await rail.acknowledge(await rail.results(100));
}

/** Runs with one instance that is closed behind it. */
export async function withRail(side: OtherSide, work: (rail: Rail) => Promise<void>): Promise<void> {
  const rail = await side.open();
  try {
    await work(rail);
  } finally {
    await rail.close();
  }
}
