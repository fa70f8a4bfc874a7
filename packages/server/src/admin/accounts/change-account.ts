/** Changes the terms of an account of a holder, by an operator's act: blocked at once, else once another operator has approved it. */
import { newId } from "../../basics/ids.ts";
import { changeByAct } from "../../jobs/open-act.ts";
import { type Account, type WrittenLimits, writeLimits } from "../../ledger/accounts/account.ts";
import { type AccountChange, decideAccountChange } from "../../ledger/accounts/change-account.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { hasOpenTransfers } from "../../store/reads/transfers.ts";
import { withRights } from "../administration-rights.ts";
import { type AdminResult, done, rejectedAct, rejectedByLedger } from "../result.ts";
import { findAtOnceNote } from "../reference/reference-act.ts";
import { type AccountDeps, readAccount } from "./account-acts.ts";
import { rejectPartners } from "./account-number.ts";
import { isName, rejectName } from "./account-name.ts";

/** Words of the operator, with a change. */
export interface AboutChange {
  /** Absent: only where nobody is in charge. */
  readonly reason?: string | undefined;
  /** Number of the case that it belongs to, elsewhere. */
  readonly ticket?: string | undefined;
}

/** `note`: sentence about a change that is done and waits for its approval, by the act `actId`. */
export type ChangedAccount = Account & { readonly note?: string; readonly actId?: string };

type ChangeDeps = Pick<AccountDeps, "database" | "reads" | "numbers">;

export async function changeAccount(
  deps: ChangeDeps,
  accountNo: string,
  change: AccountChange,
  { reason, ticket }: AboutChange = {},
): Promise<AdminResult<ChangedAccount>> {
  if (change.name !== undefined && !isName(change.name)) return rejectName();
  const lacking = rejectPartners(change.addPartners, deps.numbers);
  if (lacking) return lacking;
  const account = await findAccountByNumber(deps.reads, accountNo);
  // Found before anything is proposed; the database decides (change_account).
  const isOpen =
    change.status === "closed" && account !== undefined && (await hasOpenTransfers(deps.reads, account.id));
  const early = decideAccountChange(account, { ...change, hasOpenTransfers: isOpen });
  if (early.kind === "rejection") return rejectedByLedger(early.rejection.kind, early.rejection.field);
  if (account === undefined || early.kind === "nothing") return done(await readUnchanged(deps, accountNo, change));
  const { before, after } = compareTerms(account, early.effect.changed);
  const isAtOnce = after.status === "blocked" && Object.keys(after).length === 1;
  const withMoney = after.status === "closed" && change.closesWithMoney === true;
  const act = await withRights(deps.database, () =>
    changeByAct(deps.database, {
      id: newId(),
      kind: isAtOnce ? "blocking" : "accountChange",
      target: accountNo,
      reference: "",
      before,
      after: withMoney ? { ...after, withMoney } : after,
      reason,
      ticket,
      isAtOnce,
    }),
  );
  if (act.kind !== "done") return rejectedAct(act);
  const changed = await readAccount(deps, accountNo);
  return done(act.message === undefined ? changed : { ...changed, note: act.message, actId: act.id });
}

async function readUnchanged(deps: ChangeDeps, accountNo: string, { status }: AccountChange): Promise<ChangedAccount> {
  const account = await readAccount(deps, accountNo);
  if (status !== "blocked") return account;
  const { note, actId } = await findAtOnceNote(deps.reads, { kind: "blocking", target: accountNo });
  return note === undefined || actId === undefined ? account : { ...account, note, actId };
}

/** As an act keeps them, and `account_terms` writes them in the database. */
interface Terms {
  readonly status: Account["status"];
  readonly name: string;
  /** Minor units, as are the limits. */
  readonly minimumBalance: string | null;
  readonly partners: readonly string[];
  readonly limits: WrittenLimits;
}

function termsOf({ status, name, minimumBalance, partners, limits }: Account): Terms {
  return {
    status,
    name,
    minimumBalance: minimumBalance === undefined ? null : String(minimumBalance),
    partners,
    limits: writeLimits(limits),
  };
}

/** The terms that differ, as they are and as they shall be. */
function compareTerms(account: Account, changed: Account): { readonly before: object; readonly after: Partial<Terms> } {
  const [is, shallBe] = [termsOf(account), termsOf(changed)];
  const names = (Object.keys(is) as (keyof Terms)[]).filter(
    (name) => JSON.stringify(is[name]) !== JSON.stringify(shallBe[name]),
  );
  const pick = (terms: Terms) => Object.fromEntries(names.map((name) => [name, terms[name]]));
  return { before: pick(is), after: pick(shallBe) };
}
