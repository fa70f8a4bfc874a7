/**
 * Binds the keys of a write to the cell of its payer before anything is decided (docs/adr/0095-bound-keys.md). One whose key is another
 * cell's can only be a repeat, which that cell tells, or is answered that the key is taken.
 */
import type { Clock } from "../../basics/clock.ts";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import type { PartnerCell } from "../../ledger/reference/reference-data.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { repeatReply } from "../duplicate-reply.ts";
import type { PartnerShares } from "../partner-shares.ts";
import { noRepeat } from "../repeat-only.ts";
import type { Binding, Bindings, KeyBinder } from "./key-binder.ts";
import { type KeysOfCall, keysOfCall } from "./keys-of-call.ts";

/** A cell that is asked about a call whose payer is in another. */
export interface AskedCell {
  /** Tells a repeat, or a rejection that applies; takes and rejects nothing: then the reply is `noRepeat`. */
  readonly tellRepeat: Handler;
  readonly reads: Pick<Reads, "findTakenKeys">;
  readonly readShares: PartnerShares;
}

export interface BindDeps {
  readonly binder: KeyBinder;
  readonly clock: Pick<Clock, "now">;
  /** Time after which an external id may be bound to another cell (ms): at least its window, and a day. */
  readonly keepExternalIdsMs: number;
  /** Undefined: this node does not serve it now. */
  cell(number: number): AskedCell | undefined;
}

/** Where its payer is, and all cells of its partner. */
export interface BoundFor {
  readonly cell: number;
  readonly cells: readonly PartnerCell[];
}

/** Nothing was taken. */
export const silentCell: Reply = { case: "serviceUnavailable", retryAfter: 2 };

/**
 * An external id that was bound so long ago is renewed before it is used. Half a day before any node may give it to another cell: between
 * the look at a binding and what is decided by it are seconds.
 */
const renewAfterMs = 43_200_000;

/** Attempts of which each found that another call has changed a binding meanwhile. */
const triesMax = 3;

/** Undefined: the cell of its payer decides. */
export async function bindCall(deps: BindDeps, call: Call, wanted: BoundFor): Promise<Reply | undefined> {
  const keys = await keysOfCall(call);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const bound = await bindKeys(deps, call, keys, wanted);
    if (!bound) return silentCell;
    const judged = await judge(deps, call, keys, { bound, cell: wanted.cell });
    if (judged !== "changed") return judged;
  }
  return silentCell;
}

async function bindKeys(
  deps: BindDeps,
  call: Call,
  { externalId, numbers }: KeysOfCall,
  { cell, cells }: BoundFor,
): Promise<Bindings | undefined> {
  const { binder, clock } = deps;
  const keys = [externalId, ...numbers.map(({ key }) => key)];
  const usedBefore = await findUsedBefore(deps, call, keys, { cell, cells });
  if (!usedBefore) return undefined;
  const boundAt = clock.now();
  const bound = await binder.bind(keys.map((key) => ({ key, cell: usedBefore.get(key) ?? cell, boundAt })));
  return keys.every((key) => bound?.has(key)) ? bound : undefined;
}

/**
 * Keys that were used, unbound, while the partner had its first cell alone, with that cell. Undefined: it cannot be asked. What was decided there
 * is long committed: nobody decides without a binding since a cell that was added takes calls.
 */
async function findUsedBefore(
  { binder, cell: find }: BindDeps,
  { partner }: Call,
  keys: readonly string[],
  { cell, cells }: BoundFor,
): Promise<ReadonlyMap<string, number> | undefined> {
  const first = aloneBefore(cells);
  if (first === undefined || first === cell) return new Map();
  const known = await binder.read(keys);
  if (!known) return undefined;
  const unknown = keys.filter((key) => !known.has(key));
  if (unknown.length === 0) return new Map();
  const asked = find(first);
  const look = async () => ({ taken: await asked?.reads.findTakenKeys(unknown) });
  const looked = await asked?.readShares.run(partner.key, look).catch(() => undefined);
  return looked?.taken && new Map([...looked.taken].map((key) => [key, first]));
}

/** The cell that a partner had alone before it got others. Undefined: it had several from the beginning. */
function aloneBefore(cells: readonly PartnerCell[]): number | undefined {
  const [first, ...others] = cells.filter(({ since }) => since === undefined);
  return others.length === 0 && cells.length > 1 ? first?.cell : undefined;
}

interface Bound {
  readonly bound: Bindings;
  /** Where the payer is. */
  readonly cell: number;
}

/** `changed`: another call has bound the external id meanwhile. */
async function judge(
  deps: BindDeps,
  call: Call,
  { externalId, numbers }: KeysOfCall,
  { bound, cell }: Bound,
): Promise<Reply | "changed" | undefined> {
  const renewed = await renew(deps, call, bound.get(externalId) as Binding, cell);
  if (typeof renewed === "string" || "case" in renewed) return renewed;
  const cellOf = ({ key }: { readonly key: string }) => (bound.get(key) as Binding).cell;
  const cells = [renewed.cell, ...numbers.map(cellOf)];
  if (cells.every((one) => one === cell)) return undefined;
  for (const one of new Set(cells)) {
    const told = await ask(deps, call, one);
    if (told !== noRepeat) return told;
  }
  if (renewed.cell !== cell) return repeatReply("externalIdTaken");
  const field = numbers.find((number) => cellOf(number) !== cell)?.field;
  return field === undefined ? repeatReply("numberTaken") : { ...repeatReply("numberTaken"), field };
}

/** The external id's cell, for this call: bound anew where its time is over. */
async function renew(
  deps: BindDeps,
  call: Call,
  found: Binding,
  cell: number,
): Promise<Pick<Binding, "cell"> | Reply | "changed"> {
  const now = deps.clock.now();
  const ageMs = now - found.boundAt;
  const isOurs = found.cell === cell;
  if (ageMs < (isOurs ? renewAfterMs : deps.keepExternalIdsMs)) return found;
  if (!isOurs) {
    // Its request may be pending still.
    const told = await ask(deps, call, found.cell);
    if (told !== noRepeat) return told;
  }
  const isRenewed = await deps.binder.rebind(found, { cell, boundAt: now });
  if (isRenewed === undefined) return silentCell;
  return isRenewed ? { cell } : "changed";
}

async function ask({ cell }: BindDeps, call: Call, number: number): Promise<Reply> {
  return (await cell(number)?.tellRepeat(call)) ?? silentCell;
}
