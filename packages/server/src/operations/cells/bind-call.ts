/**
 * Binds the keys of a write to the cell of its payer before anything is decided (docs/adr/0095-bound-keys.md). Of one whose key is
 * another cell's, that cell tells a repeat, or gives the key up (judge-keys.ts).
 */
import type { Call, Reply } from "../../interfaces/call.ts";
import type { PartnerCell } from "../../ledger/reference/reference-data.ts";
import { askCell, type BindDeps, judgeKeys, silentCell } from "./judge-keys.ts";
import type { Bindings } from "./key-binder.ts";
import { type KeysOfCall, keysOfCall } from "./keys-of-call.ts";

/** Where its payer is, and all cells of its partner. */
export interface BoundFor {
  readonly cell: number;
  readonly cells: readonly PartnerCell[];
}

/** Attempts of which each found that another call has changed a binding meanwhile. */
const triesMax = 3;

/** Undefined: the cell of its payer decides. */
export async function bindCall(deps: BindDeps, call: Call, wanted: BoundFor): Promise<Reply | undefined> {
  const keys = await keysOfCall(call);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const bound = await bindKeys(deps, call, keys, wanted);
    if (!bound) return silentCell;
    const judged = await judgeKeys(deps, call, keys, { bound, cell: wanted.cell });
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
  const bound = await binder.bind(
    call.partner.key,
    keys.map((key) => ({ key, cell: usedBefore.get(key) ?? cell, boundAt })),
  );
  return keys.every((key) => bound?.has(key)) ? bound : undefined;
}

/**
 * Keys that were used, unbound, while the partner had its first cell alone, with that cell. Undefined: it cannot be asked. What was decided there
 * is long committed: nobody decides without a binding since a cell that was added takes calls.
 */
async function findUsedBefore(
  deps: BindDeps,
  { partner }: Call,
  keys: readonly string[],
  { cell, cells }: BoundFor,
): Promise<ReadonlyMap<string, number> | undefined> {
  const first = aloneBefore(cells);
  if (first === undefined || first === cell) return new Map();
  const known = await deps.binder.read(partner.key, keys);
  if (!known) return undefined;
  const unknown = keys.filter((key) => !known.has(key));
  if (unknown.length === 0) return new Map();
  const taken = await askCell(deps, partner, first, ({ reads }) => reads.findTakenKeys(unknown));
  return taken && new Map([...taken].map((key) => [key, first]));
}

/** The cell that a partner had alone before it got others. Undefined: it had several from the beginning. */
function aloneBefore(cells: readonly PartnerCell[]): number | undefined {
  const [first, ...others] = cells.filter(({ since }) => since === undefined);
  return others.length === 0 && cells.length > 1 ? first?.cell : undefined;
}
