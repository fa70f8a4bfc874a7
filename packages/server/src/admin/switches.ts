/** Rails, services and the intake: listed, closed at once, and opened again by an approved act (spec D6, D17). */
import { operationRows } from "@titian/contract";
import { railNames } from "../ledger/rails/terms.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import { type ClosedSwitch, readClosedSwitches } from "../store/reference/switches.ts";
import { type ActWords, findAtOnceNote, proposeChange } from "./reference/reference-act.ts";
import { type AdminResult, done, rejected } from "./result.ts";

/** Codes of services that begin something. What goes on with it, such as a capture, is never closed. */
const services = operationRows
  .filter(({ kind, about }) => kind === "write" && about.startsFrom === undefined)
  .map(({ code }) => code);

/** `intake`: all that takes writes. The same stand in the database (0042-switches.sql). */
export const switchNames: readonly string[] = [
  "intake",
  ...railNames.map((name) => `rail:${name}`),
  ...services.map((code) => `service:${code}`),
];

export interface SwitchDeps {
  /** An operator's connections. */
  readonly database: StatementPool;
  readonly reads: StatementPool;
  /** Makes the change known to this process before the caller is answered. */
  readonly refresh?: () => Promise<void>;
}

export interface SwitchState {
  /** One of `switchNames`. */
  readonly name: string;
  /** Undefined: it is open. */
  readonly closed: ClosedSwitch | undefined;
  /** About a closing that waits for its approval. */
  readonly note?: string | undefined;
  /** Id of the act that `note` is about. */
  readonly actId?: string | undefined;
}

export interface SwitchOrder extends ActWords {
  readonly name: string;
}

export async function listSwitches({ reads }: Pick<SwitchDeps, "reads">): Promise<readonly SwitchState[]> {
  const closed = new Map((await readClosedSwitches(reads)).map((one) => [one.name, one]));
  return switchNames.map((name) => ({ name, closed: closed.get(name) }));
}

/** Closes it at once, on every node within 2 s; an operator approves or ends that later. Closed already, it stays so. */
export async function closeSwitch(
  deps: SwitchDeps,
  { name, ...words }: SwitchOrder,
): Promise<AdminResult<SwitchState>> {
  const found = await find(deps, name);
  if (!found.ok) return found;
  const of = { kind: "closing", target: name } as const;
  if (found.value.closed) return done({ ...found.value, ...(await findAtOnceNote(deps.reads, of)) });
  const act = { ...of, before: undefined, after: {}, isAtOnce: true, ...words };
  return proposeChange(deps, act, (note, actId) => readSwitch(deps, found.value, { note, actId }));
}

/** Opens it once another operator has approved that. Open already, it stays so. */
export async function reopenSwitch(
  deps: SwitchDeps,
  { name, ...words }: SwitchOrder,
): Promise<AdminResult<SwitchState>> {
  const found = await find(deps, name);
  if (!found.ok || !found.value.closed) return found;
  const { reason, actId } = found.value.closed;
  // The closing that its approver reads of: another one since is not ended by it.
  const act = { kind: "reopening", target: name, before: { reason }, after: { closing: actId }, ...words } as const;
  return proposeChange(deps, act, (note) => readSwitch(deps, found.value, { note }));
}

async function readSwitch(
  deps: SwitchDeps,
  before: SwitchState,
  waiting: Pick<SwitchState, "note" | "actId">,
): Promise<SwitchState> {
  const found = await find(deps, before.name);
  return { ...(found.ok ? found.value : before), ...waiting };
}

async function find(deps: SwitchDeps, wanted: string): Promise<AdminResult<SwitchState>> {
  const found = (await listSwitches(deps)).find(({ name }) => name === wanted);
  if (found) return done(found);
  return rejected("invalidField", `There is no switch ${wanted}; there are ${switchNames.join(", ")}.`, "name");
}
