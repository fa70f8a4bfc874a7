/**
 * Memory of one simulated rail, and what it makes of it as time passes. Shared by all nodes; every step may run twice.
 */
import { isDatabaseAway, type StatementPool } from "@titian/server/admin";
import type { Clock, Holidays, Instruction, RailName, RailResult, RailState, RailTerms } from "@titian/server/rails";
import {
  countSimulatedResults,
  findSimulated,
  findSimulatedAs,
  insertSimulated,
  listHeld,
  listSimulatedResults,
  listUnended,
  type NewSimulatedInstruction,
  type Scheduled,
  scheduleHeld,
  scheduleUnended,
  type SimulatedContent,
  type SimulatedInstruction,
  type SimulatedTimes,
  acknowledgeSimulated,
} from "./simulated-rail-table.ts";
import { inGroups } from "./in-groups.ts";
import { endingAt, finalState, stateAt, timesOf } from "./outcome-times.ts";
import { isOutcome, type Outcome, outcomes, scenarioOf } from "./scenarios.ts";
import { traceNoOf } from "./seeded.ts";

export interface MemoryDeps {
  readonly database: StatementPool;
  readonly reads: StatementPool;
  readonly clock: Clock;
  /** Asked each time: they are data, and may change. */
  readonly terms: () => { readonly rail: RailTerms; readonly holidays: Holidays };
}

export interface Memory {
  /**
   * Remembers the instruction, once, and takes it up at that business time (epoch ms); undefined: when it is told to.
   * Answers the one that has its key, whatever its number.
   * @throws when its number or its key is another instruction's.
   */
  remember(instruction: Instruction, takenUpAt: number | undefined): Promise<SimulatedInstruction>;
  find(referenceNo: string): Promise<SimulatedInstruction | undefined>;
  /** Finds by the number, else by the key. */
  findAs(instruction: Pick<Instruction, "referenceNo" | "idempotencyKey">): Promise<SimulatedInstruction | undefined>;
  /** State of an instruction now. @throws on one that this release does not understand. */
  stateOf(instruction: SimulatedInstruction): RailState;
  /** Takes up, so many milliseconds from now, all that it was handed while it was silent. */
  takeUpHeld(afterMs: number): Promise<void>;
  /** Ends at once what has not ended, but for what only an operator ends; returns how many. */
  settle(): Promise<number>;
  results(most: number): Promise<readonly RailResult[]>;
  acknowledge(results: readonly RailResult[]): Promise<void>;
  waiting(): Promise<number>;
}

const pageSize = 1_000;
const groupMax = 256;
const settleable = outcomes.filter((outcome) => outcome !== "limbo");

export function createMemory(rail: RailName, deps: MemoryDeps): Memory {
  const { database, reads, clock, terms } = deps;
  const add: Add = inGroups(groupMax, (rows) => insertSimulated(database, rows), isDatabaseAway);
  const schedule = (outcome: Outcome, at: number) => timesOf(outcome, at, terms().rail, terms().holidays);
  return {
    find: (referenceNo) => findSimulated(reads, referenceNo),
    findAs: (instruction) => findSimulatedAs(reads, instruction),
    stateOf: (instruction) => stateAt(instruction, outcomeIn(instruction), clock.now()),
    remember: (instruction, takenUpAt) => remember(rail, { ...deps, add }, schedule, { instruction, takenUpAt }),
    takeUpHeld: (afterMs) =>
      eachPage(async () => {
        const held = await listHeld(reads, { rail, outcomes, most: pageSize });
        const at = clock.now() + afterMs;
        const times = held.map((one) => ({ ...schedule(outcomeIn(one), at), referenceNo: one.referenceNo }));
        if (times.length > 0) await scheduleHeld(database, times);
        return held.length;
      }),
    settle: () => settle(rail, deps),
    results: async (most) => {
      const found = await listSimulatedResults(reads, { rail, outcomes, now: clock.now(), most });
      return found.map(({ instruction, isReturn }) => ({
        referenceNo: instruction.referenceNo,
        state: isReturn
          ? { kind: "returned", traceNo: traceNoOf(rail, instruction.referenceNo) }
          : finalState(instruction, outcomeIn(instruction)),
      }));
    },
    acknowledge: (results) => {
      const numbers = (isReturn: boolean) =>
        results.filter(({ state }) => (state.kind === "returned") === isReturn).map(({ referenceNo }) => referenceNo);
      return acknowledgeSimulated(database, rail, { finals: numbers(false), returns: numbers(true) });
    },
    waiting: () => countSimulatedResults(reads, { rail, outcomes, now: clock.now() }),
  };
}

/** Adds an instruction, unless there is one of its number or key; tells whether it was added. */
type Add = (row: NewSimulatedInstruction) => Promise<boolean>;
type Schedule = (outcome: Outcome, at: number) => SimulatedTimes;

async function remember(
  rail: RailName,
  { database, clock, add }: MemoryDeps & { readonly add: Add },
  schedule: Schedule,
  { instruction, takenUpAt }: { readonly instruction: Instruction; readonly takenUpAt: number | undefined },
): Promise<SimulatedInstruction> {
  const { referenceNo, idempotencyKey, amount, currency, beneficiaryBankCode, beneficiaryAccountNo } = instruction;
  const content = {
    referenceNo,
    idempotencyKey,
    rail,
    amount,
    currency,
    bankCode: beneficiaryBankCode,
    accountNo: beneficiaryAccountNo,
  };
  const outcome = scenarioOf(beneficiaryAccountNo) ?? "success";
  const now = clock.now();
  const isUnprocessed = takenUpAt === undefined;
  const times: SimulatedTimes = isUnprocessed ? {} : schedule(outcome, takenUpAt);
  const made = { ...content, ...times, outcome, isUnprocessed };
  // A result that is there when its submission is answered is told by that answer, and by every inquiry.
  const finalAcknowledged = times.finalAt !== undefined && times.finalAt <= now;
  if (await add({ ...made, submittedAt: now, finalAcknowledged })) return made;
  const known = await findSimulatedAs(database, content);
  if (known === undefined || !isSame(known, content)) {
    throw new Error(`The simulated rail ${rail} has a different instruction with the number or key of ${referenceNo}.`);
  }
  return known;
}

async function settle(rail: RailName, { database, clock }: MemoryDeps): Promise<number> {
  let settled = 0;
  await eachPage(async () => {
    const now = clock.now();
    const unended = await listUnended(database, { rail, outcomes: settleable, now, most: pageSize });
    const times: readonly Scheduled[] = unended.map((one) => ({
      ...endingAt(outcomeIn(one), now),
      referenceNo: one.referenceNo,
    }));
    if (times.length > 0) settled += await scheduleUnended(database, times, now);
    return unended.length;
  });
  return settled;
}

/** Works page by page until one is not full. */
async function eachPage(work: () => Promise<number>): Promise<void> {
  while ((await work()) === pageSize);
}

/** The database is the other side here: what it says is looked at before it is believed. */
function outcomeIn({ rail, referenceNo, outcome }: SimulatedInstruction): Outcome {
  if (isOutcome(outcome)) return outcome;
  throw new Error(`The simulated rail ${rail} has an invalid outcome for ${referenceNo}: ${outcome}.`);
}

function isSame(known: SimulatedContent, content: SimulatedContent): boolean {
  const keys = ["rail", "amount", "currency", "bankCode", "accountNo"] as const;
  const { idempotencyKey = content.idempotencyKey } = known;
  return idempotencyKey === content.idempotencyKey && keys.every((key) => known[key] === content[key]);
}
