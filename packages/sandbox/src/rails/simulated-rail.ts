/** One simulated rail: answers as its mode and the beneficiary's account ask, out of a memory that all nodes share. */
import {
  RailDown,
  abortable,
  isLate,
  type BeneficiaryAnswer,
  type Clock,
  type Instruction,
  type Rail,
  type RailName,
  type RailState,
} from "@titian/server/rails";
import type { Memory } from "./memory.ts";
import type { Modes, SimulatedMode } from "./modes.ts";
import { delayIn, slowMs } from "./outcome-times.ts";
import { holderOf, scenarioOf } from "./scenarios.ts";
import { nameOf } from "./seeded.ts";
import { answersInTime, createSimulatedCalls, type Waits } from "./simulated-calls.ts";

export interface SimulatedRailDeps {
  readonly name: RailName;
  readonly clock: Clock;
  readonly modes: Pick<Modes, "current">;
  readonly memory: Memory;
  /** ISO 4217 code of what the rail carries. */
  readonly currency: () => string;
}

export interface SimulatedRail extends Rail {
  /** Resolves when all that was handed over so far is remembered, or has failed to arrive. */
  arrived(): Promise<void>;
  /** Subjects of the calls that it will not answer before business time or its mode has moved on. */
  heldBack(): Promise<readonly string[]>;
}

export function createSimulatedRail(deps: SimulatedRailDeps): SimulatedRail {
  const { name, clock, modes, memory } = deps;
  const calls = createSimulatedCalls(name, clock);
  /** Submissions on their way: one that was given up may still arrive, and an inquiry must know of it. */
  const sending = new Map<string, Promise<unknown>>();
  const modeNow = async (signal: AbortSignal) => {
    const mode = await abortable(modes.current(name), signal);
    if (mode === "down") throw new RailDown(`The simulated rail ${name} is down.`);
    return mode;
  };
  const { call } = calls;

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
    if (isAtOnce && !recorded.isUnprocessed) return memory.stateOf(recorded);
    return memory.stateOf((await lookAgain(deps, recorded.referenceNo, signal)) ?? recorded);
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
    submit: async (instruction, signal) => {
      if (isLate(instruction, clock.real())) throw new RailDown(`The simulated rail ${name} takes nothing so late.`);
      const { referenceNo: about, beneficiaryAccountNo } = instruction;
      const extraMs = scenarioOf(beneficiaryAccountNo) === "slowSuccess" ? slowMs : 0;
      return call({ about, extraMs, signal }, (either, waits) => submit(instruction, either, waits));
    },
    inquire: (about, signal) => call({ about, signal }, (either, waits) => inquire(about, either, waits)),
    hasUnderOtherNumber: (instruction, signal) =>
      call({ about: instruction.referenceNo, signal }, async (either, waits) => {
        await modeNow(either);
        return isUnderOtherNumber(deps, { instruction, waits }, either);
      }),
    inquireBeneficiary: (bankCode, accountNo, signal) =>
      call({ about: accountNo, signal }, async (either, waits) => {
        await modeNow(either);
        await answersInTime(deps, waits, either);
        return answerBeneficiary(deps, bankCode, accountNo);
      }),
    results: async (most) => ((await tells(deps)) ? memory.results(most) : []),
    acknowledge: (results) => memory.acknowledge(results),
    waiting: async () => ((await tells(deps)) ? memory.waiting() : 0),
    arrived: async () => void (await Promise.all([...sending.values()].map(settled))),
    heldBack: async () => calls.heldBack(await modes.current(name)),
    close: async () => {
      calls.close();
      await Promise.all([...sending.values()].map(settled));
    },
  };
}

/** True when it tells results now; one that is not silent takes up first what it was handed while it was. */
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
  if (found?.isUnprocessed !== true) return found;
  await abortable(takeUpHeld(memory, await modes.current(name)), signal);
  return abortable(memory.find(referenceNo), signal);
}

interface Asked {
  readonly instruction: Pick<Instruction, "referenceNo" | "idempotencyKey">;
  readonly waits: Waits;
}

async function isUnderOtherNumber(
  deps: SimulatedRailDeps,
  { instruction, waits }: Asked,
  signal: AbortSignal,
): Promise<boolean> {
  await answersInTime(deps, waits, signal);
  const found = await abortable(deps.memory.findAs(instruction), signal);
  return found !== undefined && found.referenceNo !== instruction.referenceNo;
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
