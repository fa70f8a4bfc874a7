/** Asks for exports: what comes while a statement is under way goes with the next one, all of it by one commit. */
import type { Instant, Instruction, KnownInstruction, RailRecords } from "@titian/server/rails";

export interface Asked {
  /** Why the rail is stopped; undefined: it is not. */
  readonly stoppedBecause: string | undefined;
  /** The instruction of the number, else of the key; undefined: there is none. */
  readonly known: KnownInstruction | undefined;
}

export interface Asks {
  ask(instruction: Instruction): Promise<Asked>;
  /** Resolves when no ask for the number is under way. */
  settled(referenceNo: string): Promise<void>;
}

const askedMax = 256;

interface Waiting {
  readonly instruction: Instruction;
  readonly done: PromiseWithResolvers<Asked>;
}

/** `awaitedUntil`: until when a caller waits here for the result of a number. */
export function createAsks(
  records: Pick<RailRecords, "ask" | "find">,
  awaitedUntil: (referenceNo: string) => Instant | undefined,
): Asks {
  const waiting: Waiting[] = [];
  const underWay = new Map<string, Promise<unknown>>();
  let isRunning = false;

  const askAll = async (batch: readonly Waiting[]) => {
    const instructions = batch.map(({ instruction }) => instruction);
    await records.ask(
      instructions.map((instruction) => ({ instruction, awaitedUntil: awaitedUntil(instruction.referenceNo) })),
    );
    const { stoppedBecause, instructions: found } = await records.find({
      numbers: instructions.map(({ referenceNo }) => referenceNo),
      keys: instructions.map(({ idempotencyKey }) => idempotencyKey),
    });
    const byNumber = new Map(found.map((one) => [one.terms.referenceNo, one]));
    const byKey = new Map(found.map((one) => [one.terms.idempotencyKey, one]));
    for (const { instruction, done } of batch) {
      const known = byNumber.get(instruction.referenceNo) ?? byKey.get(instruction.idempotencyKey);
      done.resolve({ stoppedBecause, known });
    }
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, askedMax);
      await askAll(batch).catch((error: unknown) => {
        for (const { done } of batch) done.reject(error);
      });
    }
    isRunning = false;
  };
  return {
    ask: (instruction) => {
      const done = Promise.withResolvers<Asked>();
      waiting.push({ instruction, done });
      void run();
      const { referenceNo } = instruction;
      const ended = done.promise
        .catch(() => undefined)
        .then(() => {
          if (underWay.get(referenceNo) === ended) underWay.delete(referenceNo);
        });
      underWay.set(referenceNo, ended);
      return done.promise;
    },
    settled: async (referenceNo) => void (await underWay.get(referenceNo)),
  };
}
