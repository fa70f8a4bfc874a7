/** Diagnoses of rejected calls: explained only for calls that are looked at, each once. */
import { signal } from "@preact/signals";
import type { Statement } from "@titian/control/types";
import { useEffect } from "preact/hooks";
import { call } from "./call.ts";
import { control } from "./control.ts";

/** By the call's id. */
const known = signal<ReadonlyMap<string, Statement>>(new Map());
const asked = new Set<string>();
const waiting: string[] = [];
let running = 0;

/** Explained at the same time, waiting for it, and kept. A flood of refused calls is not explained call by call. */
const runningMax = 2;
const waitingMax = 30;
const knownMax = 500;

/** The diagnosis of a refused call, when it is there. */
export function useDiagnosis(id: string, isRefused: boolean): Statement | undefined {
  useEffect(() => {
    if (isRefused) ask(id);
  }, [id, isRefused]);
  return known.value.get(id);
}

function ask(id: string): void {
  if (asked.has(id)) return;
  asked.add(id);
  // The newest first: it is what somebody looks at.
  waiting.unshift(id);
  for (const passed of waiting.splice(waitingMax)) asked.delete(passed);
  next();
}

function next(): void {
  const id = running < runningMax ? waiting.shift() : undefined;
  if (id === undefined) return;
  running += 1;
  control(call("GET /calls/{id}", { params: { id } }))
    .then(({ diagnosis }) => diagnosis && keep(id, diagnosis))
    .catch(() => asked.delete(id))
    .finally(() => {
      running -= 1;
      next();
    });
}

function keep(id: string, diagnosis: Statement): void {
  known.value = new Map([...known.value, [id, diagnosis] as const].slice(-knownMax));
  if (asked.size > knownMax) asked.clear();
}
