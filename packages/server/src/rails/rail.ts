/**
 * The interface of a rail, with tests of its contract (docs/reference/rails.md, test/rails/contract.ts). A rail is
 * another system: it may be slow, unresponsive or down, report results twice, and know of instructions that we lost in
 * a crash.
 */
import { parseTimestamp } from "@titian/contract";
import type { Instant } from "../basics/clock.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { ConfirmedCommit } from "../store/postgres/confirmation/confirmed-commit.ts";

/** An instruction to a rail. Its number is what inquiries and results name; its key is what makes it one. */
export interface Instruction {
  readonly referenceNo: string;
  /**
   * 32 letters and digits of what the partner intended (`instruction-key.ts`), the same for ever. Our number is that of a
   * row: after a restore of the database the same instruction comes under another one.
   */
  readonly idempotencyKey: string;
  /** Decimal text with the currency's decimals: what the beneficiary's bank gets. */
  readonly amount: string;
  readonly currency: string;
  readonly beneficiaryBankCode: string;
  readonly beneficiaryAccountNo: string;
  readonly beneficiaryAccountName: string;
  readonly sourceAccountNo: string;
  /** Fields of the request that a rail may pass on (names, residence, remark…), as texts. */
  readonly details: Readonly<Record<string, string>>;
  /**
   * Real time as `2026-11-21T10:00:05.123+07:00`, 5 s after the commit of its submission. A rail rejects it after that:
   * an operator may have rejected the transfer meanwhile.
   */
  readonly validUntil: string;
}

/** True when an instruction has expired. Real time (epoch ms); an invalid `validUntil` has. */
export function isLate({ validUntil }: Pick<Instruction, "validUntil">, real: Instant): boolean {
  return !(real <= (parseTimestamp(validUntil) ?? -Infinity));
}

/** Reasons why a rail rejected an instruction. */
export type RailRejection =
  | "unknownBeneficiary"
  | "beneficiaryInactive"
  | "beneficiaryDormant"
  | "beneficiaryOverLimit"
  | "bankUnreachable"
  | "rejected";

/** State of an instruction. `traceNo`: the rail's own number of it, up to 16 characters. */
export type RailState =
  | { readonly kind: "settled"; readonly traceNo?: string }
  | { readonly kind: "rejected"; readonly rejection: RailRejection; readonly traceNo?: string }
  /** Accepted; the result follows. */
  | { readonly kind: "pending"; readonly traceNo?: string }
  /** Settled, and returned since. */
  | { readonly kind: "returned"; readonly traceNo?: string };

export interface RailResult {
  readonly referenceNo: string;
  readonly state: RailState;
}

/** Response to an external account inquiry (16). */
export type BeneficiaryAnswer =
  | { readonly kind: "found"; readonly name: string; readonly currency: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "closed" };

/**
 * The rail cannot be reached: this call certainly sent nothing. Any other error leaves that open. It says nothing about
 * an earlier call with the same instruction.
 */
export class RailDown extends Error {
  override readonly name = "RailDown";
}

export interface Rail {
  readonly name: RailName;
  /**
   * Submits an instruction before its `validUntil`, and returns its state. When it throws, or is aborted, it is unknown
   * whether the instruction was sent, except for `RailDown`. A final state may be reported again as a result. One whose
   * key the rail has under another number is that instruction: nothing is carried, and its state is returned.
   * `commit` is the service's proof that no failover loses the transfer; nobody else can make one, and a rail has nothing
   * to do with it.
   * @throws when the number or the key is another instruction's; RailDown after its `validUntil`.
   */
  submit(instruction: Instruction, signal: AbortSignal, commit: ConfirmedCommit): Promise<RailState>;
  /**
   * Only of a rail whose results one node reads: a caller waits here for the result until then. Called before `submit`; calls
   * back at most once, when another node has read a final state. Returns how to end it.
   */
  awaitState?(referenceNo: string, until: Instant, onState: (state: RailState) => void): () => void;
  /**
   * State of an instruction; undefined: the rail does not have it, or only under another number. No aborted call of this instance can still deliver it,
   * but another node's may: submit it again, and return no money for this alone.
   */
  inquire(referenceNo: string, signal: AbortSignal): Promise<RailState | undefined>;
  /**
   * True when the rail has the key under another number: the payment is carried then, though `inquire` does not know
   * the number. Asked before money is returned for what an inquiry does not know. Without it none is: an operator says
   * so.
   */
  hasUnderOtherNumber?(
    instruction: Pick<Instruction, "referenceNo" | "idempotencyKey">,
    signal: AbortSignal,
  ): Promise<boolean>;
  inquireBeneficiary(bankCode: string, accountNo: string, signal: AbortSignal): Promise<BeneficiaryAnswer>;
  /**
   * Only of a rail that finds results by itself: from now on it calls back when it has some that are new, and they are collected at
   * once; of any other they are each second. Called once for each cell that the rail serves.
   */
  onResults?(tell: () => void): void;
  /** Reported results that are not acknowledged yet, the oldest first; at most `max`. */
  results(max: number): Promise<readonly RailResult[]>;
  /** They are recorded here. A result that was not acknowledged comes again. */
  acknowledge(results: readonly RailResult[]): Promise<void>;
  /** Counts results that are not acknowledged yet. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

/** Stands in where no rail is connected: it is down. */
export function createUnconnectedRail(name: RailName): Rail {
  const down = async (): Promise<never> => {
    throw new RailDown(`no ${name} rail is connected: see docs/reference/rails.md`);
  };
  return {
    name,
    submit: down,
    inquire: down,
    inquireBeneficiary: down,
    results: async () => [],
    acknowledge: async () => undefined,
    waiting: async () => 0,
    close: async () => undefined,
  };
}
