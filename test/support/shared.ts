/** Fixtures that test files of a process share, such as a sandbox: each ends with the last of them. */
import { after } from "node:test";

const ends: (() => Promise<void>)[] = [];
let isShared = false;

/** More files than one run in this process. */
export function shareProcess(): void {
  isShared = true;
}

/** Ends what is shared, the last begun first. */
export async function endShared(): Promise<void> {
  for (const end of ends.toReversed()) await end();
}

/** After the tests of all files of the process, for a module that several of them import. */
export function afterAll(end: () => Promise<void>): void {
  if (isShared) ends.push(end);
  else after(end);
}

/** Starts a thing once for all files of the process that ask for it. */
export function startOnce<Thing extends AsyncDisposable>(start: () => Promise<Thing>): () => Promise<Thing> {
  let started: Promise<Thing> | undefined;
  return () => {
    if (started === undefined) {
      const starting = start();
      started = starting;
      afterAll(async () => (await starting)[Symbol.asyncDispose]());
    }
    return hereafter(started);
  };
}

/**
 * The same in a promise made here. Node counts a test to the file in which the promise was made that was awaited last before
 * it: one that another file made is not to be awaited at the top level.
 */
export function hereafter<Value>(promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => void promise.then(resolve, reject));
}
