/**
 * A rail: how money leaves the bank. Whoever builds one implements this, and passes the contract's tests (docs/rails.md,
 * test/rails/contract.ts). A rail is another system: it may be slow, silent, down, tell things twice, and know of what we
 * forgot in a crash.
 */
import { parseTimestamp } from "@titian/contract";
import type { Instant } from "../clock.ts";
import type { RailName } from "../ledger/rails/terms.ts";

/** What a rail is asked to carry. The reference number is its idempotency key: the same one twice is one instruction. */
export interface Instruction {
  readonly referenceNo: string;
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
   * Real time as `2026-11-21T10:00:05.123+07:00`, 5 s after the commit by which it is handed over. A rail that gets it
   * later does not take it: its sender slept, and meanwhile an operator may have rejected the transfer.
   */
  readonly validUntil: string;
}

/** Whether an instruction is handed over too late. Real time (epoch ms); a `validUntil` that is no time is too late. */
export function isLate({ validUntil }: Pick<Instruction, "validUntil">, real: Instant): boolean {
  return !(real <= (parseTimestamp(validUntil) ?? -Infinity));
}

/** Why a rail did not carry it. */
export type RailRejection =
  | "unknownBeneficiary"
  | "beneficiaryInactive"
  | "beneficiaryDormant"
  | "beneficiaryOverLimit"
  | "bankUnreachable"
  | "rejected";

/** What a rail says has become of an instruction. `traceNo`: the rail's own number of it, up to 16 characters. */
export type RailState =
  | { readonly kind: "settled"; readonly traceNo?: string }
  | { readonly kind: "rejected"; readonly rejection: RailRejection; readonly traceNo?: string }
  /** It has it, and will tell. */
  | { readonly kind: "pending"; readonly traceNo?: string }
  /** Settled once, and come back since. */
  | { readonly kind: "returned"; readonly traceNo?: string };

export interface RailResult {
  readonly referenceNo: string;
  readonly state: RailState;
}

/** What an inquiry about a beneficiary finds (service 16). */
export type BeneficiaryAnswer =
  | { readonly kind: "found"; readonly name: string; readonly currency: string }
  | { readonly kind: "unknown" }
  | { readonly kind: "closed" };

/**
 * This call sent nothing, for certain: the rail cannot be reached. Every other error leaves open whether it did. Of an
 * earlier call with the same instruction it says nothing.
 */
export class RailDown extends Error {
  override readonly name = "RailDown";
}

export interface Rail {
  readonly name: RailName;
  /**
   * Hands an instruction over, by its `validUntil`, and answers what the rail says of it at once. Aborted or rejected, it is unknown whether
   * it was sent, but for `RailDown`. An end that was answered here may come as a result too, or not.
   * @throws when the number is another instruction's; RailDown after its `validUntil`.
   */
  submit(instruction: Instruction, signal: AbortSignal): Promise<RailState>;
  /**
   * What became of an instruction; undefined: the rail does not have it. No call of this instance that was given up can
   * still bring it there, but another node's may: hand it over again, and give no money back for this alone.
   */
  inquire(referenceNo: string, signal: AbortSignal): Promise<RailState | undefined>;
  inquireBeneficiary(bankCode: string, accountNo: string, signal: AbortSignal): Promise<BeneficiaryAnswer>;
  /** Results that came by themselves and are not acknowledged yet, the oldest first; at most so many. */
  results(most: number): Promise<readonly RailResult[]>;
  /** They are recorded here. A result that was not acknowledged comes again. */
  acknowledge(results: readonly RailResult[]): Promise<void>;
  /** How many results are not acknowledged yet. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

/** What the service's own records tell a rail that keeps its instructions in files (`@titian/rail-files`). */
export interface RailRecords {
  /** Which directory is the rail's. */
  readonly directory: {
    /** Its id; undefined when the rail has had none. */
    read(): Promise<string | undefined>;
    /** Records the id, unless there is one; returns which one it is then. */
    claim(id: string): Promise<string>;
  };
  /** Which of these reference numbers are of transfers that have not ended. */
  openAmong(referenceNos: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether there is a transfer of this number over the rail, and it has ended. */
  hasEnded(referenceNo: string): Promise<boolean>;
}

/** Stands where no rail is connected: it is down, for certain, until an operator connects one. */
export function createUnconnectedRail(name: RailName): Rail {
  const down = async (): Promise<never> => {
    throw new RailDown(`no ${name} rail is connected: see docs/rails.md`);
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
