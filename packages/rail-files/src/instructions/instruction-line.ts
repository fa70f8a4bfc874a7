/** A line of instructions: what the other side reads, and what of it makes two submissions one instruction. */
import type { FileHandle } from "node:fs/promises";
import type { Instruction, RailState } from "@titian/server/rails";
import { readLines } from "../files/json-lines.ts";

export function lineOf(instruction: Instruction): string {
  const { referenceNo, idempotencyKey, amount, currency, beneficiaryBankCode, beneficiaryAccountNo } = instruction;
  const { beneficiaryAccountName, sourceAccountNo, details, validUntil } = instruction;
  const beneficiary = { beneficiaryBankCode, beneficiaryAccountNo, beneficiaryAccountName };
  const terms = { referenceNo, idempotencyKey, amount, currency, ...beneficiary };
  return JSON.stringify({ ...terms, sourceAccountNo, details, validUntil });
}

type Content = Pick<
  Instruction,
  "referenceNo" | "amount" | "currency" | "beneficiaryBankCode" | "beneficiaryAccountNo"
> & {
  /** Absent in lines of releases before there were keys. */
  readonly idempotencyKey?: string;
};

/** What is the same of two submissions of one instruction. */
export function contentOf({ amount, currency, beneficiaryBankCode, beneficiaryAccountNo }: Content): string {
  return JSON.stringify([amount, currency, beneficiaryBankCode, beneficiaryAccountNo]);
}

/** What is remembered of an instruction. */
export interface Remembered {
  readonly content: string;
  /** Absent where its line has none. */
  readonly key?: string | undefined;
  /** What the other side said of it last. */
  state?: RailState;
}

/** The instructions of the complete lines, and where the last of them ends. @throws when one cannot be read. */
export async function readInstructions(
  file: FileHandle,
  path: string,
): Promise<{ readonly known: Map<string, Remembered>; readonly end: number }> {
  const known = new Map<string, Remembered>();
  let end = 0;
  for await (const line of readLines(file, 0)) {
    end = line.end;
    const instruction = line.isTooLong ? undefined : readInstruction(line.bytes.toString("utf8"));
    if (instruction === undefined) {
      throw new Error(
        `${path} line ${line.number} cannot be read: who it was handed to may have it. Restore the file.`,
      );
    }
    known.set(instruction.referenceNo, { content: contentOf(instruction), key: instruction.idempotencyKey });
  }
  return { known, end };
}

export function readInstruction(line: string): Content | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    const { referenceNo, idempotencyKey = "", amount, currency, ...others }: Partial<Content> = value;
    const { beneficiaryBankCode, beneficiaryAccountNo } = others;
    const texts = [referenceNo, idempotencyKey, amount, currency, beneficiaryBankCode, beneficiaryAccountNo];
    return texts.every((text) => typeof text === "string") ? (value as Content) : undefined;
  } catch {
    return undefined;
  }
}
