/** What was handed over, each number once: whoever asks at the same time, and however often the process died. */
import { RailDown, isLate, type Instant, type Instruction } from "@titian/server/rails";
import { type InstructionFilesDeps, openInstructionFiles } from "./instruction-files.ts";
import { contentOf, lineOf, type Remembered } from "./instruction-line.ts";
import { createLineAppender } from "../files/line-appender.ts";

export interface HandedOver {
  /** Whether there is one of the number that is remembered. @throws when it is not known whether its line was written. */
  has(referenceNo: string): Promise<boolean>;
  /**
   * Resolves when the instruction is durable; written once, whoever asks at the same time.
   * @throws RailDown when nothing of it was written, and an error when that is open, or the number is another's.
   */
  append(instruction: Instruction): Promise<void>;
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
  /** On their way to the file; those of which it is open whether they are in it stay. */
  const writing = new Map<string, Promise<void>>();

  const write = async (instruction: Instruction): Promise<void> => {
    const { referenceNo } = instruction;
    try {
      await lines.append({
        line: lineOf(instruction),
        isLate: () => isLate(instruction, deps.real()),
        onWritten: () => files.remember(referenceNo, contentOf(instruction)),
      });
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
      return files.find(referenceNo) !== undefined;
    },
    find: files.find,
    append: async (instruction) => {
      const { referenceNo } = instruction;
      for (let under = writing.get(referenceNo); under !== undefined; under = writing.get(referenceNo)) await under;
      const known = files.find(referenceNo);
      if (known === undefined) {
        const written = write(instruction);
        writing.set(referenceNo, written);
        return written;
      }
      if (known.content !== contentOf(instruction))
        throw new Error(`${deps.directory} has a different instruction with the number ${referenceNo}.`);
    },
    close: async () => {
      await lines.close();
      await files.close();
    },
  };
}
