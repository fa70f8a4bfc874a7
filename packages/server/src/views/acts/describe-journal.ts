/** Acts that move money between accounts, in words. */
import type { Account } from "../../ledger/accounts/account.ts";
import type { JournalLine } from "../../ledger/accounts/act-journal.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import type { ActRow } from "../../store/reads/acts.ts";
import { linesOfEntries } from "../../store/tables/acts.ts";
import type { QueryDeps } from "../query-deps.ts";
import { type AboutPeople, accountPart, money, namePart, type Sentence } from "./sentence.ts";

type DescribeDeps = Pick<QueryDeps, "pool">;

export async function describeAmount({ pool }: DescribeDeps, act: ActRow): Promise<AboutPeople> {
  const { kind, target, reference, after } = act;
  const account = await findAccountByNumber(pool, target);
  const holder = account?.name ?? "unknown";
  const amount = money(after["amount"], after["currency"]);
  const personalParts = [accountPart(target), namePart(holder)];
  if (kind === "funding")
    return {
      en: `Put ${amount.en} on account ${target} of ${holder}, reference ${reference}`,
      id: `Menambah ${amount.id} ke rekening ${target} atas nama ${holder}, referensi ${reference}`,
      personalParts,
    };
  const change = isOpen(act) && account ? describeChange(account, -BigInt(String(after["amount"]))) : nothing;
  return {
    en: `Take ${amount.en} off account ${target} of ${holder}${change.en}, reference ${reference}`,
    id: `Menarik ${amount.id} dari rekening ${target} atas nama ${holder}${change.id}, referensi ${reference}`,
    personalParts,
  };
}

/** The amounts are read from the entries: an approval binds them. */
export async function describeJournal(deps: DescribeDeps, act: ActRow): Promise<AboutPeople> {
  const { kind, reference, after } = act;
  const { currency, lines } = linesOfEntries(String(after["entries"]));
  const told = await Promise.all(lines.map((line) => describeLine(deps, line, { currency, isOpen: isOpen(act) })));
  const [en, id] = told.reduce(
    ([one, other], line) => [`${one}; ${line.en}`, `${other}; ${line.id}`],
    [
      kind === "move" ? "Move money between our own accounts" : "Correct accounts",
      kind === "move" ? "Memindahkan uang antarrekening sendiri" : "Mengoreksi rekening",
    ],
  );
  const personalParts = told.flatMap((line) => line.personalParts ?? []);
  return { en: `${en}; reference ${reference}`, id: `${id}; referensi ${reference}`, personalParts };
}

async function describeLine(
  { pool }: DescribeDeps,
  { accountNo, amount }: JournalLine,
  { currency, isOpen: isShown }: { readonly currency: string; readonly isOpen: boolean },
): Promise<AboutPeople> {
  const account = await findAccountByNumber(pool, accountNo);
  const moved = money(amount < 0n ? -amount : amount, currency);
  const holder = account?.purpose === "customer" ? account.name : undefined;
  const [side, sisi] = amount < 0n ? ["debit", "debit"] : ["credit", "kredit"];
  const change = isShown && account ? describeChange(account, amount) : nothing;
  return {
    en: `${side} ${accountNo}${holder === undefined ? "" : ` of ${holder}`} ${moved.en}${change.en}`,
    id: `${sisi} ${accountNo}${holder === undefined ? "" : ` atas nama ${holder}`} ${moved.id}${change.id}`,
    personalParts: holder === undefined ? [] : [accountPart(accountNo), namePart(holder)],
  };
}

const nothing: Sentence = { en: "", id: "" };

/** As long as nothing was moved. */
const isOpen = ({ state }: ActRow) => state === "proposed" || state === "approved";

/** The balance before and after. */
function describeChange({ balance, currency }: Account, amount: bigint): Sentence {
  const [now, then] = [money(balance, currency), money(balance + amount, currency)];
  return { en: ` (now ${now.en}, then ${then.en})`, id: ` (kini ${now.id}, lalu ${then.id})` };
}
