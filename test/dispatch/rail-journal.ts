/**
 * The other side of the rails, outside of every process that is killed: what was submitted, what it carried, and what it
 * says. How it treats an instruction goes by the beneficiary's account, which is the name of a conduct.
 */
import assert from "node:assert/strict";
import type { RailName } from "../../packages/server/src/ledger/rails/terms.ts";
import {
  type Instruction,
  type Rail,
  RailDown,
  type RailResult,
  type RailState,
} from "../../packages/server/src/rails/rail.ts";

/** Conduct of a rail with an instruction. */
export interface Conduct {
  /** Fate of the calls before the one that reaches it: nobody there, or no response although nothing arrived. */
  readonly before?: readonly ("down" | "lost")[];
  /**
   * Answer to the call that reaches it: its end, that it waits, or nothing. `late`: its end, once the caller was
   * answered.
   */
  readonly answers: "end" | "pending" | "late" | "nothing";
  readonly ends: "settled" | "rejected";
  /** It tells by itself what it could not answer. */
  readonly tells?: true;
  readonly comesBack?: true;
}

export const conducts = {
  success: { answers: "end", ends: "settled" },
  rejected: { answers: "end", ends: "rejected" },
  slow: { answers: "late", ends: "settled" },
  slowRejected: { answers: "late", ends: "rejected" },
  batch: { answers: "pending", ends: "settled" },
  batchRejected: { answers: "pending", ends: "rejected" },
  silent: { answers: "nothing", ends: "settled" },
  silentRejected: { answers: "nothing", ends: "rejected" },
  silentReported: { answers: "nothing", ends: "settled", tells: true },
  silentRejectedReported: { answers: "nothing", ends: "rejected", tells: true },
  lost: { before: ["lost"], answers: "end", ends: "settled" },
  down: { before: ["down"], answers: "end", ends: "settled" },
  lostThenDown: { before: ["lost", "down"], answers: "end", ends: "rejected" },
  returned: { answers: "end", ends: "settled", comesBack: true },
  batchReturned: { answers: "pending", ends: "settled", comesBack: true },
  silentReturned: { answers: "nothing", ends: "settled", comesBack: true },
} as const satisfies Record<string, Conduct>;

export type ConductName = keyof typeof conducts;
export const conductNames = Object.keys(conducts) as readonly ConductName[];

/** State of an instruction that arrived. */
export interface Entry {
  readonly rail: RailName;
  readonly instruction: Instruction;
  readonly conduct: Conduct;
  /** Number of times that it arrived. */
  arrivals: number;
  state: RailState["kind"];
  /** Results that were not acknowledged yet. */
  readonly uncollected: ("settled" | "rejected" | "returned")[];
}

export interface RailJournal {
  readonly rails: Readonly<Record<RailName, Rail>>;
  /** By reference number. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Instructions of a payer that arrived. */
  entriesOf(payer: string): readonly Entry[];
  /** Answers what was kept waiting until its caller had a response. */
  answerLate(): void;
  /** Batches settle, and what comes back does. */
  proceed(): void;
  /** True when something is to come still, or was not acknowledged. */
  isBusy(): boolean;
}

const rejection = "beneficiaryInactive";

function conductOf({ beneficiaryAccountNo }: Pick<Instruction, "beneficiaryAccountNo">): Conduct {
  const name = beneficiaryAccountNo.split("/")[0] ?? "";
  if (!Object.hasOwn(conducts, name)) assert.fail(`no conduct ${name}`);
  return conducts[name as ConductName];
}

export function createRailJournal(): RailJournal {
  const entries = new Map<string, Entry>();
  const byPayer = new Map<string, Entry[]>();
  /** Entries of which something is to come still, or was not acknowledged. */
  const live = new Set<Entry>();
  const knocks = new Map<string, number>();
  const late = new Set<() => void>();

  const submit = async (rail: RailName, instruction: Instruction): Promise<RailState> => {
    const { referenceNo } = instruction;
    const conduct = conductOf(instruction);
    const knock = knocks.get(referenceNo) ?? 0;
    knocks.set(referenceNo, knock + 1);
    const before = conduct.before?.[knock];
    if (before === "down") throw new RailDown("nobody there");
    if (before === "lost") throw new Error("no answer, and nothing arrived");
    const known = entries.get(referenceNo);
    if (known) {
      expectSame(known.instruction, instruction);
      known.arrivals += 1;
      return stateOf(known);
    }
    const entry = openEntry(rail, instruction, conduct);
    entries.set(referenceNo, entry);
    byPayer.set(instruction.sourceAccountNo, [...(byPayer.get(instruction.sourceAccountNo) ?? []), entry]);
    if (isLive(entry)) live.add(entry);
    if (conduct.answers === "nothing") throw new Error("no answer, and it arrived");
    if (conduct.answers === "late") await new Promise<void>((resolve) => late.add(resolve));
    return stateOf(entry);
  };

  const railOf = (name: RailName): Rail => {
    const collectable = () => [...live].filter((entry) => entry.rail === name).flatMap(resultsOf);
    return {
      name,
      submit: (instruction) => submit(name, instruction),
      inquire: async (referenceNo) => {
        const entry = entries.get(referenceNo);
        return entry && stateOf(entry);
      },
      inquireBeneficiary: async () => ({ kind: "unknown" }),
      results: async (most) => collectable().slice(0, most),
      acknowledge: async (results) => {
        for (const { referenceNo, state } of results) {
          const entry = entries.get(referenceNo);
          const at = entry?.uncollected.findIndex((kind) => kind === state.kind) ?? -1;
          if (at >= 0) entry?.uncollected.splice(at, 1);
          if (entry && !isLive(entry)) live.delete(entry);
        }
      },
      waiting: async () => collectable().length,
      close: async () => undefined,
    };
  };

  return {
    rails: { interbank: railOf("interbank"), rtgs: railOf("rtgs"), skn: railOf("skn") },
    entries,
    entriesOf: (payer) => byPayer.get(payer) ?? [],
    answerLate: () => {
      for (const answer of late) answer();
      late.clear();
    },
    proceed: () => {
      for (const entry of live) proceed(entry);
    },
    isBusy: () => live.size > 0,
  };
}

/** It may be submitted again later: nothing else of it changes. */
function expectSame(known: Instruction, { validUntil, ...again }: Instruction): void {
  const message = `${known.referenceNo} arrived again, and otherwise`;
  assert.deepEqual({ ...known, validUntil }, { ...again, validUntil }, message);
}

function openEntry(rail: RailName, instruction: Instruction, conduct: Conduct): Entry {
  const isPending = conduct.answers === "pending";
  const state = isPending ? "pending" : conduct.ends;
  return { rail, instruction, conduct, arrivals: 1, state, uncollected: conduct.tells ? [conduct.ends] : [] };
}

const isLive = (entry: Entry) => entry.state === "pending" || willComeBack(entry) || entry.uncollected.length > 0;
const willComeBack = ({ conduct, state }: Entry) => conduct.comesBack === true && state === "settled";

function proceed(entry: Entry): void {
  if (entry.state === "pending") {
    entry.state = entry.conduct.ends;
    entry.uncollected.push(entry.conduct.ends);
  } else if (willComeBack(entry)) {
    entry.state = "returned";
    entry.uncollected.push("returned");
  }
}

function stateOf({ state, instruction }: Pick<Entry, "state" | "instruction">): RailState {
  const traceNo = instruction.referenceNo.slice(-12);
  return state === "rejected" ? { kind: state, rejection, traceNo } : { kind: state, traceNo };
}

function resultsOf({ instruction, uncollected }: Entry): readonly RailResult[] {
  const { referenceNo } = instruction;
  return uncollected.map((state) => ({ referenceNo, state: stateOf({ state, instruction }) }));
}
