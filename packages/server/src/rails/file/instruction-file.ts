/**
 * What was handed over: one line an instruction, appended and made durable before it counts. The lines are read when the
 * file is opened, so that a number is one instruction however often the process died.
 */
import type { FileHandle } from "node:fs/promises";
import { type Instruction, RailDown } from "../rail.ts";
import { openToAppend } from "./durable-files.ts";
import { readLines } from "./json-lines.ts";
import { createLineAppender } from "./line-appender.ts";

export interface InstructionFile {
  /** Whether there is one of the number. @throws when it is not known whether its line was written. */
  has(referenceNo: string): Promise<boolean>;
  /**
   * Resolves when the instruction is durable; written once, whoever asks at the same time.
   * @throws RailDown when nothing of it was written, and an error when that is open, or the number is another's.
   */
  append(instruction: Instruction): Promise<void>;
  close(): Promise<void>;
}

/** `mayWrite` is asked before each write. @throws when a line of the file cannot be read. */
export async function openInstructionFile(path: string, mayWrite: () => boolean): Promise<InstructionFile> {
  const file = await openToAppend(path);
  const known = await readInstructions(file, path).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  const lines = createLineAppender(file, path, mayWrite);
  /** On their way to the file; those of which it is open whether they are in it stay. */
  const writing = new Map<string, Promise<void>>();

  const write = async (instruction: Instruction): Promise<void> => {
    const { referenceNo } = instruction;
    try {
      await lines.append(lineOf(instruction));
      known.set(referenceNo, contentOf(instruction));
      writing.delete(referenceNo);
    } catch (error) {
      if (error instanceof RailDown) writing.delete(referenceNo);
      throw error;
    }
  };

  return {
    has: async (referenceNo) => {
      await writing.get(referenceNo)?.catch((error: unknown) => {
        if (!(error instanceof RailDown)) throw error;
      });
      return known.has(referenceNo);
    },
    append: async (instruction) => {
      const { referenceNo } = instruction;
      for (let under = writing.get(referenceNo); under !== undefined; under = writing.get(referenceNo)) await under;
      const content = known.get(referenceNo);
      if (content === undefined) {
        const written = write(instruction);
        writing.set(referenceNo, written);
        return written;
      }
      if (content !== contentOf(instruction))
        throw new Error(`${path} has another instruction of the number ${referenceNo}.`);
    },
    close: () => lines.close(),
  };
}

async function readInstructions(file: FileHandle, path: string): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  let end = 0;
  for await (const line of readLines(file, 0)) {
    end = line.end;
    const instruction = line.isTooLong ? undefined : readInstruction(line.bytes);
    if (instruction === undefined) {
      throw new Error(
        `${path} line ${line.number} cannot be read: who it was handed to may have it. Restore the file.`,
      );
    }
    known.set(instruction.referenceNo, contentOf(instruction));
  }
  // A line without its end was cut off by a crash before it counted.
  await file.truncate(end);
  await file.sync();
  return known;
}

function lineOf(instruction: Instruction): string {
  const { referenceNo, amount, currency, beneficiaryBankCode, beneficiaryAccountNo } = instruction;
  const { beneficiaryAccountName, sourceAccountNo, details } = instruction;
  const beneficiary = { beneficiaryBankCode, beneficiaryAccountNo, beneficiaryAccountName };
  return JSON.stringify({ referenceNo, amount, currency, ...beneficiary, sourceAccountNo, details });
}

type Content = Pick<
  Instruction,
  "referenceNo" | "amount" | "currency" | "beneficiaryBankCode" | "beneficiaryAccountNo"
>;

/** What is the same of two submissions of one instruction. */
function contentOf({ amount, currency, beneficiaryBankCode, beneficiaryAccountNo }: Content): string {
  return JSON.stringify([amount, currency, beneficiaryBankCode, beneficiaryAccountNo]);
}

function readInstruction(bytes: Buffer): Content | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { referenceNo, amount, currency, beneficiaryBankCode, beneficiaryAccountNo }: Partial<Content> = value;
    const texts = [referenceNo, amount, currency, beneficiaryBankCode, beneficiaryAccountNo];
    return texts.every((text) => typeof text === "string") ? (value as Content) : undefined;
  } catch {
    return undefined;
  }
}
