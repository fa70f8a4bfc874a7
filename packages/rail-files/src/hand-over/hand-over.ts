/** Instructions from any node: asked for in the database, exported by the holder of the lease. */
import {
  type Clock,
  type Instant,
  type Instruction,
  isLate,
  type KnownInstruction,
  RailDown,
  type RailName,
  type RailRecords,
} from "@titian/server/rails";
import { contentOf } from "../export/compare.ts";
import { createAsks } from "./asks.ts";
import type { AwaitedStates } from "./awaited-states.ts";
import { createWatch } from "./watch.ts";

export interface HandOver {
  /**
   * The instruction once it is written: the one that its number, or its key, came with first.
   * @throws RailDown when no line of it is written for this call, and an error when that is open; also while the rail is
   * stopped, or its directory not compared yet: a line that the database has forgotten may be its own.
   */
  submit(instruction: Instruction): Promise<KnownInstruction>;
  /** Undefined: no line of it is written. @throws when that is open. */
  find(referenceNo: string): Promise<KnownInstruction | undefined>;
  /** True when the key is another number's. @throws when that is open. */
  hasUnderOtherNumber(instruction: Pick<Instruction, "referenceNo" | "idempotencyKey">): Promise<boolean>;
  /** This instance has written them. */
  tellWritten(numbers: readonly string[]): void;
}

export interface HandOverDeps {
  readonly name: RailName;
  readonly records: RailRecords;
  readonly clock: Pick<Clock, "real">;
  readonly awaited: Pick<AwaitedStates, "untilOf">;
  /** Something was asked for. */
  readonly onAsked: () => void;
}

/** The longest that one call waits for its line. */
const waitMaxMs = 5_000;

export function createHandOver({ name, records, clock, awaited, onAsked }: HandOverDeps): HandOver {
  const real = () => clock.real();
  const asks = createAsks(records, awaited.untilOf);
  const lines = createWatch(real, async (numbers) => {
    const { instructions } = await records.find({ numbers });
    const found = new Map(instructions.map(({ terms, isWritten }) => [terms.referenceNo, isWritten]));
    return numbers.flatMap((number) => (found.get(number) === false ? [] : [[number, found.has(number)] as const]));
  });

  /** @throws when there is none, and the directory may have one that the database has forgotten. */
  const findAny = async (wanted: Parameters<RailRecords["find"]>[0]) => {
    const { stoppedBecause, isCompared, instructions } = await records.find(wanted);
    if (instructions[0] === undefined && (stoppedBecause !== undefined || !isCompared))
      throw new Error(stopped(name, stoppedBecause ?? "no node has compared its directory with the database yet"));
    return instructions[0];
  };
  const findOne = (referenceNo: string) => findAny({ numbers: [referenceNo] });
  /** Waits for the line until then; undefined: none is written, for certain, for who asked so far. */
  const whenWritten = async (referenceNo: string, until: Instant): Promise<KnownInstruction | undefined> => {
    const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
    lines.add(referenceNo, Math.min(until, real() + waitMaxMs), resolve);
    const isWritten = (await promise) === true;
    if (!isWritten && (await records.withdraw(referenceNo))) return findOne(referenceNo);
    const found = await findOne(referenceNo);
    // This instance tells it before the database does.
    return isWritten && found ? { ...found, isWritten } : found;
  };
  return {
    tellWritten: (numbers) => lines.tell(numbers, true),
    submit: async (instruction) => {
      if (isLate(instruction, real())) throw new RailDown("It was handed over too late.");
      const { stoppedBecause, known } = await asks.ask(instruction);
      if (known === undefined)
        throw new Error(stoppedBecause ? stopped(name, stoppedBecause) : "The instruction was withdrawn meanwhile.");
      const { referenceNo } = known.terms;
      checkSame(name, known, instruction);
      if (known.isWritten) return known;
      const { validUntil } = instruction;
      if (known.validUntil < real()) await records.askAgain(referenceNo, validUntil);
      onAsked();
      const found = await whenWritten(referenceNo, Date.parse(validUntil));
      if (found === undefined) throw new RailDown("No node exported it in time: it was withdrawn.");
      if (!found.isWritten) throw new Error(`It is open whether the line of ${referenceNo} is written.`);
      return found;
    },
    hasUnderOtherNumber: async ({ referenceNo, idempotencyKey }) => {
      const known = await findAny({ numbers: [], keys: [idempotencyKey] });
      return known !== undefined && known.terms.referenceNo !== referenceNo;
    },
    find: async (referenceNo) => {
      await asks.settled(referenceNo);
      const known = await findOne(referenceNo);
      if (known === undefined || known.isWritten) return known;
      const found = await whenWritten(referenceNo, known.validUntil);
      if (found === undefined || found.isWritten) return found;
      // It expired unwritten: what is written of it later is not carried (docs/reference/rails.md).
      if (found.validUntil < real()) return undefined;
      throw new Error(`It is open whether the line of ${referenceNo} is written.`);
    },
  };
}

function stopped(name: RailName, because: string): string {
  return `The ${name} rail is stopped: ${because}.`;
}

/** @throws when the number or the key is another instruction's. */
function checkSame(name: RailName, { terms }: KnownInstruction, instruction: Instruction): void {
  const { idempotencyKey = instruction.idempotencyKey } = terms;
  if (contentOf({ ...terms, idempotencyKey }) === contentOf(instruction)) return;
  throw new Error(
    `The ${name} rail has a different instruction with the number ${terms.referenceNo}, or with the key ${instruction.idempotencyKey}.`,
  );
}
