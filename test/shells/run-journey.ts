/** Pastes a journey's blocks into a shell, and says what is not as its page promises. */
import { eventually } from "../support/black-box/answers.ts";
import { type Expected, type Journey, type Step } from "./journeys.ts";
import { openSession, type Pasted, type Session } from "./session.ts";
import type { ShellName } from "./terminal.ts";
import type { Recorded } from "./titian-host.ts";
import { blockOf, fill, type World } from "./world.ts";

export interface RunOptions {
  readonly shell: ShellName;
  /** Number of times that each block is pasted. */
  readonly times: number;
  /** Commands of `titian` in the short run: what another shell was shown. */
  readonly replayed?: readonly Recorded[];
  readonly isShort: boolean;
  readonly busybox?: boolean;
}

export interface PastedBlock extends Pasted {
  readonly block: string;
  readonly turn: number;
  readonly ms: number;
  /** Differences from what is expected. */
  readonly faults: readonly string[];
}

export interface JourneyRun {
  readonly shell: ShellName;
  readonly pasted: readonly PastedBlock[];
  readonly recorded: readonly Recorded[];
}

const settleSeconds = 15;
const everyMs = 300;
/** Programs that a block names, where nothing of it is carried out. */
const standIns = [
  "npm",
  "node",
  "docker",
  "psql",
  "perl",
  ".ci/run",
  "titian",
  "pg_dump",
  "tee",
  "curl",
  "openssl",
  "cp",
];

export async function runJourney(world: World, journey: Journey, options: RunOptions): Promise<JourneyRun> {
  const { shell, times, replayed, isShort, busybox = false } = options;
  const filled = new Map<string, string>();
  const recorded: Recorded[] = [];
  const recordsOnly = journey.recordsOnly === "always" || (isShort && journey.recordsOnly === "inShortRun");
  const hosted = recordsOnly || isShort;
  const replay = replayed === undefined ? {} : { replayed };
  await using session = await openSession({
    shell,
    ...(journey.startsSandbox ? {} : { dataDir: world.dataDir }),
    programs: { busybox, withoutServices: replayed !== undefined, ...(recordsOnly && { standIns }) },
    ...(hosted && { host: { recorded, filled, standIns: recordsOnly, ...replay } }),
  });
  await using prepared = new AsyncDisposableStack();
  const replaced = recordsOnly ? [] : ((await journey.prepare?.(session, world, prepared)) ?? []);
  await using _moving = journey.waitsForSettlement && replayed === undefined ? moveClock(world) : undefined;
  const pasted: PastedBlock[] = [];
  for (let turn = 1; turn <= times; turn += 1) {
    for (const step of journey.steps) {
      const text = await textOf({ world, session, journey, step, filled, replaced });
      const { waitsFor } = step;
      if (waitsFor) await eventually(() => waitsFor(world));
      const startedAt = performance.now();
      const until = recordsOnly ? undefined : step.until;
      const found = await session.paste(text, until && { until });
      const ms = performance.now() - startedAt;
      const expected = recordsOnly ? {} : expectedOf(step, turn);
      const faults = compare(found, expected, until !== undefined);
      pasted.push({ ...found, block: step.block, turn, ms, faults: [...faults] });
    }
  }
  return { shell, pasted, recorded };
}

interface Given {
  readonly world: World;
  readonly session: Session;
  readonly journey: Journey;
  readonly step: Step;
  readonly filled: Map<string, string>;
  readonly replaced: readonly (readonly [text: string, instead: string])[];
}

async function textOf({ world, session, journey, step, filled, replaced }: Given): Promise<string> {
  const block = blockOf(step.block);
  if (replaced.length === 0 && journey.recordsOnly !== undefined) return block.text;
  const { text, values } = await fill(world, block, { directory: session.home });
  for (const [value, name] of values) filled.set(value, name);
  return replaced.reduce((whole, [old, instead]) => whole.replaceAll(old, instead), text);
}

function expectedOf({ codes, ends, makes, again }: Step, turn: number): Expected {
  const first = { ...(codes && { codes }), ...(ends && { ends }), ...(makes && { makes }) };
  return turn > 1 && again !== undefined
    ? { ...first, makes: [], ...again }
    : turn > 1
      ? { ...first, makes: [] }
      : first;
}

function* compare(found: Pasted, { codes = [], ends = [], makes = [] }: Expected, wasEnded: boolean) {
  const left = found.leftBehind.filter((what) => !makes.some((name) => what === `the file titian/${name}`));
  for (const what of left) yield `left behind: ${what}`;
  if (wasEnded) return;
  const failed = found.runs.filter((run) => !run.endsWith(" 0"));
  if (failed.join() !== ends.join()) yield `ended with ${failed.join(", ") || "0"}, not with ${ends.join(", ") || "0"}`;
  if (found.codes.join() !== codes.join()) yield `answered ${found.codes.join(", ")}, not ${codes.join(", ")}`;
  if (found.exitCode !== 0 && ends.length === 0) yield `the last command ended with ${found.exitCode}`;
}

/** Differences between two shells that were given the same. */
export function differences(one: JourneyRun, other: JourneyRun): readonly string[] {
  return one.pasted.flatMap((pasted, index) => {
    const same = other.pasted[index];
    const place = `${pasted.block}, paste ${pasted.turn}: ${one.shell} and ${other.shell} differ in`;
    return (["exitCode", "runs", "codes"] as const)
      .filter((name) => String(pasted[name]) !== String(same?.[name]))
      .map((name) => `${place} ${name}: ${String(pasted[name])} and ${String(same?.[name])}`);
  });
}

/** Rails settle after a time that nobody here waits for. */
function moveClock({ control }: World): AsyncDisposable {
  let moving = Promise.resolve();
  const timer = setInterval(() => {
    moving = moving.then(() => control.advance(settleSeconds)).catch(() => undefined);
  }, everyMs);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await moving;
    },
  };
}
