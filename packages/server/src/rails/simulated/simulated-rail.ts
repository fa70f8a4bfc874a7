/** One simulated rail: answers as its mode and the beneficiary's account ask, out of a memory that all nodes share. */
import type { Clock } from "../../clock.ts";
import type { RailName } from "../../ledger/rail.ts";
import { abortable, pause } from "../abortable.ts";
import { type BeneficiaryAnswer, type Instruction, type Rail, RailDown, type RailState } from "../rail.ts";
import type { Memory } from "./memory.ts";
import type { Modes, SimulatedMode } from "./modes.ts";
import { delayIn, slowMs } from "./outcome-times.ts";
import { holderOf, scenarioOf } from "./scenarios.ts";
import { latencyOf, nameOf } from "./seeded.ts";

export interface SimulatedRailDeps {
  readonly name: RailName;
  readonly clock: Clock;
  readonly modes: Pick<Modes, "current">;
  readonly memory: Memory;
  /** ISO 4217 code of what the rail carries. */
  readonly currency: () => string;
}

/** How often a call that waits looks at mode and clock again: business time may jump. Real time. */
const lookEveryMs = 50;

/** What a call to the rail waits for before it is answered. */
interface Waits {
  /** The reference number, or the beneficiary's account number, that it is about. */
  readonly about: string;
  /** Business time at which it was made. */
  readonly since: number;
  readonly latencyMs: number;
  /** What it takes longer than others in mode normal, in business time. */
  readonly extraMs: number;
}

export interface SimulatedRail extends Rail {
  /** Resolves when all that was handed over so far is remembered, or has failed to arrive. */
  arrived(): Promise<void>;
  /** What the calls are about that it will not answer before business time or its mode has moved on. */
  heldBack(): Promise<readonly string[]>;
}

export function createSimulatedRail(deps: SimulatedRailDeps): SimulatedRail {
  const { name, clock, modes, memory } = deps;
  const closing = new AbortController();
  /** Submissions on their way: one that was given up may still arrive, and an inquiry must know of it. */
  const sending = new Map<string, Promise<unknown>>();
  const modeNow = async (signal: AbortSignal) => {
    const mode = await abortable(modes.current(name), signal);
    if (mode === "down") throw new RailDown(`The simulated rail ${name} is down.`);
    return mode;
  };
  const underWay = new Set<Waits>();
  const call = async <Answer>(
    { about, extraMs = 0, signal }: { readonly about: string; readonly extraMs?: number; readonly signal: AbortSignal },
    work: (signal: AbortSignal, waits: Waits) => Promise<Answer>,
  ) => {
    if (closing.signal.aborted) throw new RailDown(`The simulated rail ${name} was closed.`);
    const waits = { about, since: clock.now(), latencyMs: latencyOf(about), extraMs };
    underWay.add(waits);
    try {
      return await work(AbortSignal.any([signal, closing.signal]), waits);
    } finally {
      underWay.delete(waits);
    }
  };

  const arrive = async (instruction: Instruction, since: number, signal: AbortSignal) => {
    const delay = delayIn(await modeNow(signal));
    return memory.remember(instruction, delay === undefined ? undefined : since + delay);
  };

  const submit = async (instruction: Instruction, signal: AbortSignal, waits: Waits): Promise<RailState> => {
    const { referenceNo } = instruction;
    const arriving = arrive(instruction, waits.since, signal);
    track(sending, referenceNo, arriving);
    const recorded = await abortable(arriving, signal);
    const isAtOnce = await answersInTime(deps, waits, signal);
    // Held, it was recorded a moment before the rail recovered.
    if (isAtOnce && !recorded.held) return memory.stateOf(recorded);
    return memory.stateOf((await lookAgain(deps, referenceNo, signal)) ?? recorded);
  };

  const inquire = async (referenceNo: string, signal: AbortSignal, waits: Waits): Promise<RailState | undefined> => {
    await modeNow(signal);
    await answersInTime(deps, waits, signal);
    await abortable(settled(sending.get(referenceNo)), signal);
    const found = await lookAgain(deps, referenceNo, signal);
    if (found === undefined) return undefined;
    if (found.rail !== name)
      throw new Error(`${referenceNo} is an instruction of the rail ${found.rail}, not ${name}.`);
    return memory.stateOf(found);
  };

  return {
    name,
    submit: (instruction, signal) => {
      const { referenceNo: about, beneficiaryAccountNo } = instruction;
      const extraMs = scenarioOf(beneficiaryAccountNo) === "slowSuccess" ? slowMs : 0;
      return call({ about, extraMs, signal }, (either, waits) => submit(instruction, either, waits));
    },
    inquire: (about, signal) => call({ about, signal }, (either, waits) => inquire(about, either, waits)),
    inquireBeneficiary: (bankCode, accountNo, signal) =>
      call({ about: accountNo, signal }, async (either, waits) => {
        await modeNow(either);
        await answersInTime(deps, waits, either);
        return answerBeneficiary(deps, bankCode, accountNo);
      }),
    results: async (most) => ((await tells(deps)) ? memory.results(most) : []),
    take: (results) => memory.take(results),
    waiting: async () => ((await tells(deps)) ? memory.waiting() : 0),
    arrived: async () => void (await Promise.all([...sending.values()].map(settled))),
    heldBack: async () => {
      const mode = await modes.current(name);
      return [...underWay].filter((waits) => !isDue(waits, mode, clock.now())).map(({ about }) => about);
    },
    close: async () => {
      closing.abort(new Error(`The simulated rail ${name} was closed.`));
      await Promise.all([...sending.values()].map(settled));
    },
  };
}

/** Whether it tells results now; one that is not silent takes up first what it was handed while it was. */
async function tells({ name, modes, memory }: SimulatedRailDeps): Promise<boolean> {
  const mode = await modes.current(name);
  await takeUpHeld(memory, mode);
  return mode !== "down";
}

export async function takeUpHeld(memory: Memory, mode: SimulatedMode): Promise<void> {
  const delay = delayIn(mode);
  if (delay !== undefined) await memory.takeUpHeld(delay);
}

/** The instruction as it stands when the call is answered. */
async function lookAgain({ name, modes, memory }: SimulatedRailDeps, referenceNo: string, signal: AbortSignal) {
  const found = await abortable(memory.find(referenceNo), signal);
  if (found?.held !== true) return found;
  await abortable(takeUpHeld(memory, await modes.current(name)), signal);
  return abortable(memory.find(referenceNo), signal);
}

/**
 * Resolves when the rail answers such a call: true when that is at once but for its latency, false when it took longer.
 * @throws when it is cut off meanwhile, and the signal's reason.
 */
async function answersInTime({ name, clock, modes }: SimulatedRailDeps, waits: Waits, signal: AbortSignal) {
  let isFirst = true;
  for (;;) {
    const mode = await abortable(modes.current(name), signal);
    if (mode === "down") throw new Error(`The simulated rail ${name} went down before it answered.`);
    if (mode === "normal" && waits.extraMs === 0 && isFirst) {
      await pause(waits.latencyMs, signal);
      return true;
    }
    if (isDue(waits, mode, clock.now())) return false;
    isFirst = false;
    await pause(lookEveryMs, signal);
  }
}

/** Whether a call is answered by then; the latency aside, which is real time. A rail that is down fails it at once. */
function isDue({ since, extraMs }: Waits, mode: SimulatedMode, now: number): boolean {
  if (mode === "down") return true;
  const delay = delayIn(mode);
  return delay !== undefined && now >= since + extraMs + delay;
}

function answerBeneficiary(deps: SimulatedRailDeps, bankCode: string, accountNo: string): BeneficiaryAnswer {
  const scenario = scenarioOf(accountNo);
  if (scenario === "unknownBeneficiary") return { kind: "unknown" };
  if (scenario === "beneficiaryInactive") return { kind: "closed" };
  const name = scenario === undefined ? nameOf(bankCode, accountNo) : holderOf(scenario);
  return { kind: "found", name, currency: deps.currency() };
}

function track(sending: Map<string, Promise<unknown>>, referenceNo: string, recording: Promise<unknown>): void {
  const both = settled(Promise.all([settled(sending.get(referenceNo)), settled(recording)]));
  sending.set(referenceNo, both);
  void both.then(() => {
    if (sending.get(referenceNo) === both) sending.delete(referenceNo);
  });
}

/** Resolves when the work has ended, however. */
async function settled(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => undefined);
}
