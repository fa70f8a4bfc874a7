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

/** Most pages of one run, a second or two of one connection: more accounts are a matter of several runs. */
const pagesMax = 128;

/**
 * Sends credits of accounts that have left the cell, such as refunds, on to their cells; answers how many accounts had any. It asks before each page, and
 * before each account, which may wait for another cell; the next call goes on there.
 */
export function createRelocateMoved(
  deps: MoveDeps,
  from: number,
): (mayGoOn: () => Promise<boolean>) => Promise<number> {
  let after = "";
  return async (mayGoOn) => {
    let count = 0;
    const silent = new Set<string>();
    const keyOf = ({ to, currency }: { readonly to: number; readonly currency: string }) => `${to} ${currency}`;
    for (let pages = 0; pages < pagesMax && (await mayGoOn()); pages += 1) {
      const source = deps.cell(from);
      if (!source) break;
      const { accounts, last } = await listMovedWithMoney(source.pool, after);
      for (const account of accounts) {
        if (!(await mayGoOn())) return count;
        after = account.accountNo;
        if (silent.has(keyOf(account))) continue;
        const isDone = await relocate(deps, { ...account, from }).catch(() => false);
        if (isDone) count += 1;
        else silent.add(keyOf(account));
      }
      after = last ?? "";
      if (last === undefined) break;
    }
    return count;
  };
}
