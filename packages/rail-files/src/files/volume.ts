/**
 * File operations of rails, few at once: each takes one of Node's four threads for files for as long as the volume needs, and
 * those threads also sign, resolve names and read what has nothing to do with rails. A volume that hangs keeps two of them.
 */
import { mkdir, stat } from "node:fs/promises";

export interface Volume {
  /**
   * The result of one file operation. @throws VolumeSilent where it takes longer than 5 s, and at once until the volume has answered again, or
   * while others that hang have all operations.
   * `onLate`: gets a result that comes then.
   */
  run<Value>(operation: () => Promise<Value>, onLate?: (value: Value) => void): Promise<Value>;
  /** Runs what gives something back, such as a handle, once the volume answers. It is waited for where the volume does now. */
  end(operation: () => Promise<unknown>): Promise<void>;
  /** Reason why nothing is asked of it; undefined: it answers. */
  silentBecause(): string | undefined;
}

/** It is unknown whether the operation was carried out, and it may be later. */
export class VolumeSilent extends Error {
  override readonly name = "VolumeSilent";
}

/** Operations of all rails of this process at once, and of those on one volume. One thread is left to everything else. */
const [allMax, eachMax] = [3, 2];

interface State {
  readonly because: string;
  running: number;
  /** Operations under way that have taken too long. */
  silent: number;
}

interface Turn {
  readonly state: State;
  begin(): void;
  fail(): void;
}

/** Opens volumes that share the threads of a process. `silentAfterMs`: how long an operation may take, and wait for its turn. */
export function createVolumes(silentAfterMs: number): (name: string) => Volume {
  const turns = createTurns();
  const run = <Value>(state: State, operation: () => Promise<Value>, onLate?: (value: Value) => void) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const fail = () => reject(new VolumeSilent(turns.silentBecause(state) ?? state.because));
    const begin = () => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        turns.fallSilent(state);
        fail();
      }, silentAfterMs);
      operation()
        .then((value) => (isLate ? onLate?.(value) : resolve(value)), reject)
        .finally(() => {
          clearTimeout(timer);
          turns.end(state, isLate);
        });
    };
    const turn = { state, begin, fail };
    const waiting = setTimeout(() => turns.giveUp(turn), silentAfterMs);
    turns.add(turn);
    return promise.finally(() => clearTimeout(waiting));
  };
  return (name) => {
    const state: State = { because: `the volume of ${name} does not answer`, running: 0, silent: 0 };
    const silentBecause = () => turns.silentBecause(state);
    const end = async (operation: () => Promise<unknown>): Promise<void> => {
      let isBegun = false;
      const begin = () => {
        isBegun = true;
        return operation();
      };
      await runUnlessSilent(begin).catch((error: unknown) => {
        if (!(error instanceof VolumeSilent)) throw error;
        // It may fall silent once more before it is begun.
        if (!isBegun) turns.whenAnswers(state, () => void end(operation).catch(() => undefined));
      });
    };
    const runUnlessSilent: Volume["run"] = (operation, onLate) => {
      const because = silentBecause();
      return because === undefined ? run(state, operation, onLate) : Promise.reject(new VolumeSilent(because));
    };
    return { run: runUnlessSilent, end, silentBecause };
  };
}

function createTurns() {
  let running = 0;
  let silent = 0;
  let waiting: readonly Turn[] = [];
  let ends: readonly { readonly state: State; begin(): void }[] = [];
  const silentBecause = ({ silent: own, because }: State) => {
    if (own > 0) return because;
    return silent >= allMax ? "the volumes of other rails do not answer, and have all file operations" : undefined;
  };
  const beginNext = () => {
    for (const turn of waiting) {
      const { state } = turn;
      if (running >= allMax) return;
      if (state.running >= eachMax) continue;
      waiting = waiting.filter((other) => other !== turn);
      running += 1;
      state.running += 1;
      turn.begin();
    }
  };
  const failSilent = () => {
    const failing = waiting.filter(({ state }) => silentBecause(state) !== undefined);
    waiting = waiting.filter((turn) => !failing.includes(turn));
    for (const turn of failing) turn.fail();
  };
  return {
    silentBecause,
    /** Operations that run once the volume answers. */
    whenAnswers: (state: State, begin: () => void) => {
      ends = [...ends, { state, begin }];
    },
    add: (turn: Turn) => {
      waiting = [...waiting, turn];
      beginNext();
    },
    /** Ends its wait; nothing where it has begun. */
    giveUp: (turn: Turn) => {
      if (!waiting.includes(turn)) return;
      waiting = waiting.filter((other) => other !== turn);
      turn.fail();
    },
    end: (state: State, wasLate: boolean) => {
      running -= 1;
      state.running -= 1;
      if (wasLate) {
        state.silent -= 1;
        silent -= 1;
      }
      const ready = ends.filter((one) => silentBecause(one.state) === undefined);
      ends = ends.filter((one) => !ready.includes(one));
      for (const one of ready) one.begin();
      beginNext();
    },
    fallSilent: (state: State) => {
      state.silent += 1;
      silent += 1;
      failSilent();
    },
  };
}

const openVolume = createVolumes(5_000);
/** By device; and by path, until it is known which one that is. */
const volumes = new Map<string, Volume>();

/** Volume of a directory. @throws where there is no such directory, and VolumeSilent */
export async function volumeOf(directory: string): Promise<Volume> {
  const known = volumes.get(directory);
  if (known) return known;
  const { dev } = await named(`path ${directory}`, directory).run(() => stat(directory));
  const volume = named(`device ${dev}`, directory);
  volumes.set(directory, volume);
  return volume;
}

/** The same, of a directory that is made where it is not there. */
export async function makeDirectory(directory: string): Promise<Volume> {
  await named(`path ${directory}`, directory).run(() => mkdir(directory, { recursive: true, mode: 0o700 }));
  return volumeOf(directory);
}

/** One that hangs before its device is known is asked about each path for itself. */
function named(key: string, directory: string): Volume {
  const volume = volumes.get(key) ?? openVolume(directory);
  volumes.set(key, volume);
  return volume;
}
