/**
 * The other side of the rails, outside of every process that is killed: what it was handed, what it carried, and what it
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

/** What a rail does with an instruction. */
export interface Conduct {
  /** What the calls before the one that reaches it meet: nobody there, or no answer although nothing arrived. */
  readonly before?: readonly ("down" | "lost")[];
  /**
   * What the call that reaches it is answered: its end, that it waits, or nothing. `late`: its end, once the caller was
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
  silentTold: { answers: "nothing", ends: "settled", tells: true },
  silentRejectedTold: { answers: "nothing", ends: "rejected", tells: true },
  lost: { before: ["lost"], answers: "end", ends: "settled" },
  down: { before: ["down"], answers: "end", ends: "settled" },
  lostThenDown: { before: ["lost", "down"], answers: "end", ends: "rejected" },
  returned: { answers: "end", ends: "settled", comesBack: true },
  batchReturned: { answers: "pending", ends: "settled", comesBack: true },
  silentReturned: { answers: "nothing", ends: "settled", comesBack: true },
} as const satisfies Record<string, Conduct>;

export type ConductName = keyof typeof conducts;
export const conductNames = Object.keys(conducts) as readonly ConductName[];

/** What became of an instruction that arrived. */
export interface Page {
  readonly rail: RailName;
  readonly instruction: Instruction;
  readonly conduct: Conduct;
  /** How often it arrived. */
  arrivals: number;
  state: RailState["kind"];
  /** What is told by itself and was not taken yet. */
  readonly untold: ("settled" | "rejected" | "returned")[];
}

export interface RailBook {
  readonly rails: Readonly<Record<RailName, Rail>>;
  /** By reference number. */
  readonly pages: ReadonlyMap<string, Page>;
  /** What arrived of a payer's. */
  pagesOf(payer: string): readonly Page[];
  /** Answers what was kept waiting until its caller had an answer. */
  answerLate(): void;
  /** Batches settle, and what comes back does. */
  proceed(): void;
  /** Whether something is to come still, or was not taken. */
  isBusy(): boolean;
}

const rejection = "beneficiaryInactive";

function conductOf({ beneficiaryAccountNo }: Pick<Instruction, "beneficiaryAccountNo">): Conduct {
  const name = beneficiaryAccountNo.split("/")[0] ?? "";
  if (!Object.hasOwn(conducts, name)) assert.fail(`no conduct ${name}`);
  return conducts[name as ConductName];
}

export function createRailBook(): RailBook {
  const pages = new Map<string, Page>();
  const byPayer = new Map<string, Page[]>();
  /** Of which something is to come still, or was not taken. */
  const live = new Set<Page>();
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
    const known = pages.get(referenceNo);
    if (known) {
      expectSame(known.instruction, instruction);
      known.arrivals += 1;
      return stateOf(known);
    }
    const page = openPage(rail, instruction, conduct);
    pages.set(referenceNo, page);
    byPayer.set(instruction.sourceAccountNo, [...(byPayer.get(instruction.sourceAccountNo) ?? []), page]);
    if (isLive(page)) live.add(page);
    if (conduct.answers === "nothing") throw new Error("no answer, and it arrived");
    if (conduct.answers === "late") await new Promise<void>((resolve) => late.add(resolve));
    return stateOf(page);
  };

  const railOf = (name: RailName): Rail => {
    const told = () => [...live].filter((page) => page.rail === name).flatMap(resultsOf);
    return {
      name,
      submit: (instruction) => submit(name, instruction),
      inquire: async (referenceNo) => {
        const page = pages.get(referenceNo);
        return page && stateOf(page);
      },
      inquireBeneficiary: async () => ({ kind: "unknown" }),
      results: async (most) => told().slice(0, most),
      take: async (results) => {
        for (const { referenceNo, state } of results) {
          const page = pages.get(referenceNo);
          const at = page?.untold.findIndex((kind) => kind === state.kind) ?? -1;
          if (at >= 0) page?.untold.splice(at, 1);
          if (page && !isLive(page)) live.delete(page);
        }
      },
      waiting: async () => told().length,
      close: async () => undefined,
    };
  };

  return {
    rails: { interbank: railOf("interbank"), rtgs: railOf("rtgs"), skn: railOf("skn") },
    pages,
    pagesOf: (payer) => byPayer.get(payer) ?? [],
    answerLate: () => {
      for (const answer of late) answer();
      late.clear();
    },
    proceed: () => {
      for (const page of live) proceed(page);
    },
    isBusy: () => live.size > 0,
  };
}

/** It may be handed over again later: nothing else of it changes. */
function expectSame(known: Instruction, { validUntil, ...again }: Instruction): void {
  const message = `${known.referenceNo} arrived again, and otherwise`;
  assert.deepEqual({ ...known, validUntil }, { ...again, validUntil }, message);
}

function openPage(rail: RailName, instruction: Instruction, conduct: Conduct): Page {
  const isPending = conduct.answers === "pending";
  const state = isPending ? "pending" : conduct.ends;
  return { rail, instruction, conduct, arrivals: 1, state, untold: conduct.tells ? [conduct.ends] : [] };
}

const isLive = (page: Page) => page.state === "pending" || willComeBack(page) || page.untold.length > 0;
const willComeBack = ({ conduct, state }: Page) => conduct.comesBack === true && state === "settled";

function proceed(page: Page): void {
  if (page.state === "pending") {
    page.state = page.conduct.ends;
    page.untold.push(page.conduct.ends);
  } else if (willComeBack(page)) {
    page.state = "returned";
    page.untold.push("returned");
  }
}

function stateOf({ state, instruction }: Pick<Page, "state" | "instruction">): RailState {
  const traceNo = instruction.referenceNo.slice(-12);
  return state === "rejected" ? { kind: state, rejection, traceNo } : { kind: state, traceNo };
}

function resultsOf({ instruction, untold }: Page): readonly RailResult[] {
  const { referenceNo } = instruction;
  return untold.map((state) => ({ referenceNo, state: stateOf({ state, instruction }) }));
}
