/** Sends what is on accounts that have moved on to their cells: run twice, at once or again, it sends what is there. */
import { newId } from "../basics/ids.ts";
import type { Command } from "../engine/command.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { decideRelocation, type RelocationOrder } from "../ledger/transit/relocate.ts";
import { listMovedWithMoney } from "../store/tables/cells/account-moves.ts";
import { readTransitPositions } from "../store/reads/transit.ts";
import type { MoveDeps } from "./move-deps.ts";

export interface Relocation {
  readonly accountNo: string;
  readonly currency: string;
  readonly from: number;
  readonly to: number;
}

/** Longest wait for the command (ms). */
const commandMs = 5_000;

/** False: another cell cannot be asked, or the two do not agree. */
export async function relocate(deps: MoveDeps, { accountNo, currency, from, to }: Relocation): Promise<boolean> {
  const [source, target, stream] = [deps.cell(from), deps.cell(to), deps.stream(from, to)];
  if (!source || !target || !stream || stream.isStopped(currency)) return false;
  const inNo = internalAccountNo("transit", currency, "in", from);
  const mirror = (await target.confirmed(() => readTransitPositions(target.pool, [inNo]))).get(inNo);
  const deadline = deps.clock.real() + commandMs;
  const command = relocationCommand({ to, mirror }, { accountNo, currency, from, deadline });
  const { kind } = await source.engine.submit(command);
  if (kind === "effect") stream.poke(currency);
  return kind === "effect" || kind === "nothing";
}

interface RelocationTerms extends Omit<Relocation, "to"> {
  /** Real time (epoch ms). */
  readonly deadline: number;
}

function relocationCommand(
  order: RelocationOrder,
  { accountNo, currency, from, deadline }: RelocationTerms,
): Command<null> {
  const out = ["transit", currency, "out", order.to] as const;
  const outId = newId(from);
  return {
    id: newId(from),
    deadline,
    locks: { accountNumbers: [accountNo, internalAccountNo(...out)] },
    decide: (found) => {
      const decision = decideRelocation(order, found.account(accountNo), {
        found: found.internalAccount(...out),
        newId: outId,
      });
      if (decision.kind !== "effect") return decision;
      const { postings, newAccounts } = decision.effect;
      return { kind: "effect", effect: { postings, newAccounts, payload: null } };
    },
  };
}

/** Accounts of one reading. */
const pageMax = 256;

/** Credits of accounts that have left the cell, such as refunds; answers how many had any. */
export async function relocateAll(deps: MoveDeps, from: number, mayGoOn: () => Promise<boolean>): Promise<number> {
  let [count, after] = [0, ""];
  const silent = new Set<string>();
  const keyOf = ({ to, currency }: { readonly to: number; readonly currency: string }) => `${to} ${currency}`;
  while (await mayGoOn()) {
    const source = deps.cell(from);
    const page = source ? await listMovedWithMoney(source.pool, after, pageMax) : [];
    for (const account of page) {
      if (silent.has(keyOf(account))) continue;
      const isDone = await relocate(deps, { ...account, from }).catch(() => false);
      if (isDone) count += 1;
      else silent.add(keyOf(account));
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.accountNo;
  }
  return count;
}
