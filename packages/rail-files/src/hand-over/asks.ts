/** Asks for exports: what comes while a statement is under way goes with the next one, all of it by one commit. */
import {
  createBatches,
  type Instant,
  type Instruction,
  type KnownInstruction,
  type RailRecords,
} from "@titian/server/rails";

export interface Asked {
  /** Reason why the rail is stopped; undefined: it is not. */
  readonly stoppedBecause: string | undefined;
  /** The instruction of the number, else of the key; undefined: there is none. */
  readonly known: KnownInstruction | undefined;
}

export interface Asks {
  ask(instruction: Instruction): Promise<Asked>;
  /** Resolves when no ask for the number is under way. */
  settled(referenceNo: string): Promise<void>;
}

const sizeMax = 256;

/** `awaitedUntil`: until when a caller waits here for the result of a number. */
export function createAsks(
  records: Pick<RailRecords, "ask" | "find">,
  awaitedUntil: (referenceNo: string) => Instant | undefined,
): Asks {
  const underWay = new Map<string, Promise<unknown>>();
  const work = async (instructions: readonly Instruction[]): Promise<readonly Asked[]> => {
    await records.ask(
      instructions.map((instruction) => ({ instruction, awaitedUntil: awaitedUntil(instruction.referenceNo) })),
    );
    const { stoppedBecause, instructions: found } = await records.find({
      numbers: instructions.map(({ referenceNo }) => referenceNo),
      keys: instructions.map(({ idempotencyKey }) => idempotencyKey),
    });
    const byNumber = new Map(found.map((one) => [one.terms.referenceNo, one]));
    const byKey = new Map(found.map((one) => [one.terms.idempotencyKey, one]));
    return instructions.map(({ referenceNo, idempotencyKey }) => ({
      stoppedBecause,
      known: byNumber.get(referenceNo) ?? byKey.get(idempotencyKey),
    }));
  };
  const ask = createBatches({ sizeMax, work });
  return {
    ask: (instruction) => {
      const { referenceNo } = instruction;
      const asked = ask(instruction);
      const ended = asked
        .catch(() => undefined)
        .then(() => {
          if (underWay.get(referenceNo) === ended) underWay.delete(referenceNo);
        });
      underWay.set(referenceNo, ended);
      return asked;
    },
    settled: async (referenceNo) => void (await underWay.get(referenceNo)),
  };
}
