/** What was handed over, each number and each key once: whoever asks at the same time, and however often the process died. */
import { RailDown, isLate, type Instant, type Instruction } from "@titian/server/rails";
import { type InstructionFilesDeps, openInstructionFiles } from "./instruction-files.ts";
import { contentOf, lineOf, type Remembered } from "./instruction-line.ts";
import { createLineAppender } from "../files/line-appender.ts";

export interface HandedOver {
  /** Whether there is one of the number that is remembered. @throws when it is not known whether its line was written. */
  has(referenceNo: string): Promise<boolean>;
  /**
   * Resolves when the instruction is durable, to the number in its line: the one that its key came with first. Written
   * once, whoever asks at the same time.
   * @throws RailDown when nothing of it was written, and an error when that is open, or number or key is another's.
   */
  append(instruction: Instruction): Promise<string>;
  /** What is remembered of it: what the other side says of it is kept there. */
  find(referenceNo: string): Remembered | undefined;
  close(): Promise<void>;
}

export interface HandedOverDeps extends InstructionFilesDeps {
  /** Asked before each write. */
  readonly mayWrite: () => boolean;
  /** Real time (epoch ms). */
  readonly real: () => Instant;
}

/** @throws when a line of a file cannot be read. */
export async function openHandedOver(deps: HandedOverDeps): Promise<HandedOver> {
  const files = await openInstructionFiles(deps);
  const lines = createLineAppender({ ...files, mayWrite: deps.mayWrite });
  /** On their way to the file, by number and by key; those of which it is open whether they are in it stay. */
  const writing = new Map<string, Promise<string>>();

  const write = async (instruction: Instruction): Promise<string> => {
    const { referenceNo, idempotencyKey } = instruction;
    const forget = () => [referenceNo, idempotencyKey].forEach((name) => writing.delete(name));
    try {
      await lines.append({
        line: lineOf(instruction),
        isLate: () => isLate(instruction, deps.real()),
        onWritten: () => files.remember(referenceNo, { content: contentOf(instruction), key: idempotencyKey }),
      });
      forget();
      return referenceNo;
    } catch (error) {
      if (error instanceof RailDown) forget();
      throw error;
    }
  };

  return {
    has: async (referenceNo) => {
      await writing.get(referenceNo)?.catch((error: unknown) => {
        if (!(error instanceof RailDown)) throw error;
      });
      return files.find(referenceNo) !== undefined;
    },
    find: files.find,
    append: async (instruction) => {
      const { referenceNo, idempotencyKey: key } = instruction;
      const underWay = () => writing.get(referenceNo) ?? writing.get(key);
      for (let under = underWay(); under !== undefined; under = underWay()) await under;
      const number = files.find(referenceNo) === undefined ? files.numberOf(key) : referenceNo;
      const known = number === undefined ? undefined : files.find(number);
      if (number === undefined || known === undefined) {
        const written = write(instruction);
        for (const name of [referenceNo, key]) writing.set(name, written);
        return written;
      }
      if (known.content !== contentOf(instruction) || (known.key ?? key) !== key)
        throw new Error(
          `${deps.directory} has a different instruction with the number ${number}, or with the key ${key}.`,
        );
      return number;
    },
    close: async () => {
      await lines.close();
      await files.close();
    },
  };
}
