/** A fault on purpose as it is kept in the database. */
import { choice, fits, integer, object, operations, optional, type Static, string } from "@titian/contract";
import type { FaultKind } from "@titian/server";

export const faultKinds = [
  "loseAnswer",
  "delay",
  "error500",
  "error503",
  "error429",
  "breakOff",
] as const satisfies readonly FaultKind[];

const Kept = object({
  fault: choice(faultKinds),
  /** Calls that are still to meet it. */
  left: integer({ minimum: 1 }),
  delayMs: integer({ minimum: 0 }),
  /** Absent: any operation but those that issue tokens. */
  operation: optional(string()),
});

export type KeptFault = Static<typeof Kept>;

export interface PlannedFault extends KeptFault {
  /** They are met in the order of their ids. */
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
}

export function readFault(value: unknown): KeptFault | undefined {
  return fits(Kept, value) ? value : undefined;
}

/** The calls for tokens meet a fault only where it names them: without a token there is nothing to try. */
export function isMetBy({ operation: wanted }: KeptFault, operation: keyof typeof operations): boolean {
  return wanted === undefined ? operations[operation].kind !== "token" : wanted === operation;
}
