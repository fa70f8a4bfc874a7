/**
 * A call whose keys are bound: the cells that may know a repeat are asked, and keys for which another cell has accepted nothing are bound to that
 * of its payer (docs/adr/0100-rebound-keys.md).
 */
import type { Clock } from "../../basics/clock.ts";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import type { Reads } from "../../store/reads/reads.ts";
import { isRepeatReply, repeatReply } from "../duplicate-reply.ts";
import type { PartnerShares } from "../partner-shares.ts";
import { noRepeat } from "../repeat-only.ts";
import type { Binding, Bindings, KeyBinder } from "./key-binder.ts";
import type { KeysOfCall } from "./keys-of-call.ts";
import { isAnswer } from "./newest-reply.ts";

/** Keys in a cell's own database; used within `readShares`, by which they are confirmed. */
export interface KeyFences {
  /** By request or fence; free ones are left out. */
  read(keys: readonly string[]): Promise<KeyHolders>;
  /** The same, once those that were free are fenced: no request of the cell gets one any more. */
  take(keys: readonly string[]): Promise<KeyHolders>;
}

/** Keys by what has them. A fence of an external id that is older than half a day counts as an old request. */
export interface KeyHolders {
  readonly ofRequests: readonly string[];
  readonly fenced: readonly string[];
}

/** A cell that is asked about a call whose payer is in another. */
export interface AskedCell {
  /** Tells a repeat, or a rejection that applies; takes and rejects nothing: then the reply is `noRepeat`. */
  readonly tellRepeat: Handler;
  readonly reads: Pick<Reads, "findTakenKeys">;
  readonly readShares: PartnerShares;
  readonly fences: KeyFences;
}

export interface BindDeps {
  readonly binder: KeyBinder;
  readonly clock: Pick<Clock, "now">;
  /** Time after which an external id may be bound to another cell whatever has it (ms): at least its window, and a day. */
  readonly keepExternalIdsMs: number;
  /** Undefined: this node does not serve it now. */
  cell(number: number): AskedCell | undefined;
}

/** Nothing was taken. */
export const silentCell: Reply = { case: "serviceUnavailable", retryAfter: 2 };

/**
 * An external id that was bound so long ago is renewed before it is used. Half a day before any node may give it to another cell: between
 * the look at a binding and what is decided by it are seconds. And for so long the cell of before is asked, too: its rejections matter to calls
 * whose `X-TIMESTAMP` is no later, and none may be older than an hour.
 */
export const youngMs = 43_200_000;

export interface Bound {
  readonly bound: Bindings;
  /** Where the payer is. */
  readonly cell: number;
}

interface Judged extends Pick<Bound, "cell"> {
  readonly call: Call;
  readonly keys: KeysOfCall;
  /** Business time (epoch ms). */
  readonly now: number;
}

/** Undefined: the cell of its payer decides. `changed`: another call has bound a key anew meanwhile. */
export async function judgeKeys(
  deps: BindDeps,
  call: Call,
  keys: KeysOfCall,
  { bound, cell }: Bound,
): Promise<Reply | "changed" | undefined> {
  const now = deps.clock.now();
  const all = [...new Set([keys.externalId, ...keys.numbers.map(({ key }) => key)])].map(
    (key) => bound.get(key) as Binding,
  );
  const [externalId] = all as [Binding];
  if (externalId.cell === cell && !isYoung(externalId, now)) {
    const renewed = await rebind(deps, call, [externalId], { cell, boundAt: now });
    if (renewed) return renewed;
  }
  const before = all.flatMap((one) => (one.previous !== undefined && isYoung(one, now) ? [one.previous] : []));
  const away = all.filter((one) => one.cell !== cell);
  if (away.length === 0 && before.length === 0) return undefined;
  const told = await ask(deps, call, [...all.map((one) => one.cell), ...before]);
  if (told !== noRepeat) return told;
  return away.length === 0 ? undefined : takeOver(deps, { call, keys, cell, now }, away);
}

/** Binds keys for which no cell tells a repeat to the payer's: their cells take nothing for them any more. */
async function takeOver(
  deps: BindDeps,
  { call, keys, cell, now }: Judged,
  away: readonly Binding[],
): Promise<Reply | "changed" | undefined> {
  const isOver = ({ key, boundAt }: Binding) => key === keys.externalId && now - boundAt >= deps.keepExternalIdsMs;
  const held = away.filter((one) => !isOver(one));
  // A cell that is asked for its rejections is one.
  const bound = held.filter((one) => one.previous !== undefined && isYoung(one, now));
  if (bound.length > 0) return takenReply(keys, bound.map(keyOf));
  const inWanted = await askCell(deps, call.partner, cell, ({ fences }) => fences.read(held.map(keyOf)));
  if (!inWanted) return silentCell;
  // A cell never gets back a key that it has given up.
  if (inWanted.fenced.length > 0) return takenReply(keys, inWanted.fenced);
  const byCell = Map.groupBy(held, (one) => one.cell);
  // All are looked at before any is fenced, so that none is of a call that is not decided.
  for (const step of ["read", "take"] as const) {
    for (const [from, ofCell] of byCell) {
      const has = await askCell(deps, call.partner, from, ({ fences }) => fences[step](ofCell.map(keyOf)));
      if (!has) return silentCell;
      if (has.ofRequests.length > 0) {
        const told = await ask(deps, call, [from]);
        return told === noRepeat ? takenReply(keys, has.ofRequests) : told;
      }
      // An external id may be given up between the two statements.
      if (step === "take" && has.fenced.length < ofCell.length) return silentCell;
    }
  }
  const rebound = await rebind(deps, call, away, { cell, boundAt: now });
  if (rebound) return rebound;
  // They may have rejected it before they gave the keys up.
  const told = await ask(deps, call, [...byCell.keys()]);
  return told === noRepeat ? undefined : told;
}

const keyOf = ({ key }: Binding) => key;

const isYoung = ({ boundAt }: Binding, now: number) => now - boundAt < youngMs;

/** In a turn of the cell's reads. Undefined: the cell does not answer, or too many calls wait for it. */
export async function askCell<Result>(
  { cell: find }: BindDeps,
  { key }: Call["partner"],
  number: number,
  work: (cell: AskedCell) => Promise<Result>,
): Promise<Result | undefined> {
  const cell = find(number);
  return cell?.readShares.run(key, async () => work(cell)).catch(() => undefined);
}

/** Undefined: all are bound so. */
async function rebind(
  { binder }: BindDeps,
  { partner }: Call,
  from: readonly Binding[],
  to: Omit<Binding, "key">,
): Promise<Reply | "changed" | undefined> {
  const isRebound = await binder.rebind(partner.key, from, to);
  if (isRebound === undefined) return silentCell;
  return isRebound ? undefined : "changed";
}

/**
 * Asks the cells in their order. The first that tells a repeat, or does not answer, gives the reply. Without one it is the rejection of the last
 * cell that tells one, and cells of before are asked last. `noRepeat`: no cell tells a repeat or a rejection.
 */
async function ask({ cell: find }: BindDeps, call: Call, cells: readonly number[]): Promise<Reply> {
  let rejection: Reply | undefined;
  for (const one of new Set(cells)) {
    const told = (await find(one)?.tellRepeat(call)) ?? silentCell;
    if (told === noRepeat) continue;
    if (isRepeatReply(told) || !isAnswer(told)) return told;
    rejection = told;
  }
  return rejection ?? noRepeat;
}

/** As the repeat of a request of which nothing more is known. */
function takenReply({ externalId, numbers }: KeysOfCall, keys: readonly string[]): Reply {
  const taken = new Set(keys);
  if (taken.has(externalId)) return repeatReply("externalIdTaken");
  const field = numbers.find(({ key }) => taken.has(key))?.field;
  return field === undefined ? repeatReply("numberTaken") : { ...repeatReply("numberTaken"), field };
}
