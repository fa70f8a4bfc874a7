/** Acts that change the terms of an account, in words. */
import type { Account } from "../../ledger/accounts/account.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import type { ActRow } from "../../store/reads/acts.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { type AboutPeople, accountPart, money, namePart, type Sentence } from "./sentence.ts";

type DescribeDeps = Pick<QueryDeps, "pool" | "reference">;

/** Terms as an act keeps them (admin/accounts/change-account.ts). */
interface Terms {
  readonly status?: Account["status"];
  readonly name?: string;
  readonly minimumBalance?: string | null;
  readonly partners?: readonly string[];
  readonly limits?: { readonly perTransaction?: string; readonly daily?: string; readonly dailyCount?: number };
}

export async function describeChange(deps: DescribeDeps, act: ActRow): Promise<AboutPeople> {
  const { kind, target } = act;
  const account = await findAccountByNumber(deps.pool, target);
  const holder = account?.name ?? "unknown";
  const [before, after]: readonly [Terms, Terms] = [act.before, act.after];
  const names = [holder, before.name, after.name].filter((name) => name !== undefined);
  const personalParts = [accountPart(target), ...names.map(namePart)];
  if (kind === "blocking")
    return {
      en: `Block account ${target} of ${holder}: nothing is debited from it; it was ${before.status}`,
      id: `Memblokir rekening ${target} atas nama ${holder}: tidak ada yang didebit darinya; sebelumnya ${wordOf(before.status)}`,
      personalParts,
    };
  const changes = [
    ...changesOf(before, after, account?.currency ?? ""),
    ...changesOfPartners(deps, before.partners, after.partners),
  ];
  const withMoney = act.after["withMoney"] === true;
  return {
    en: `Change account ${target} of ${holder}: ${changes.map(({ en }) => en).join("; ")}${withMoney ? ", with the money on it" : ""}`,
    id: `Mengubah rekening ${target} atas nama ${holder}: ${changes.map(({ id }) => id).join("; ")}${withMoney ? ", beserta uang di dalamnya" : ""}`,
    personalParts,
  };
}

const statusWords: Readonly<Record<Account["status"], string>> = {
  active: "aktif",
  dormant: "pasif",
  blocked: "diblokir",
  closed: "ditutup",
  moved: "dipindahkan",
  arriving: "sedang masuk",
};

const wordOf = (status: Account["status"] | undefined) => (status === undefined ? "" : (statusWords[status] ?? status));

const none: Sentence = { en: "none", id: "tidak ada" };

function changesOf(before: Terms, after: Terms, currency: string): readonly Sentence[] {
  const amount = (text: string | null | undefined) => (text == null ? none : money(text, currency));
  const number = (count: number | undefined) => (count === undefined ? none : { en: `${count}`, id: `${count}` });
  const status = (of: Terms) => ({ en: of.status ?? "", id: wordOf(of.status) });
  const name = (of: Terms) => ({ en: of.name ?? "", id: of.name ?? "" });
  const all: readonly (readonly [is: unknown, en: string, id: string, shown: (of: Terms) => Sentence])[] = [
    [after.status, "status", "status", status],
    [after.name, "name", "nama", name],
    [after.limits, "limit of a transfer", "batas per transfer", ({ limits }) => amount(limits?.perTransaction)],
    [after.limits, "limit of a day", "batas per hari", ({ limits }) => amount(limits?.daily)],
    [after.limits, "transfers of a day", "transfer per hari", ({ limits }) => number(limits?.dailyCount)],
    [after.minimumBalance, "minimum balance", "saldo minimum", ({ minimumBalance }) => amount(minimumBalance)],
  ];
  return all.flatMap(([isNamed, en, id, shown]) => {
    const [was, shallBe] = [shown(before), shown(after)];
    if (isNamed === undefined || was.en === shallBe.en) return [];
    return { en: `${en} from ${was.en} to ${shallBe.en}`, id: `${id} dari ${was.id} menjadi ${shallBe.id}` };
  });
}

function changesOfPartners(
  deps: DescribeDeps,
  before: readonly string[] = [],
  after: readonly string[] | undefined,
): readonly Sentence[] {
  if (after === undefined) return [];
  const nameOf = (partner: string) => partnerIdOf(deps, partner) || partner;
  const added = after.filter((partner) => !before.includes(partner)).map(nameOf);
  const removed = before.filter((partner) => !after.includes(partner)).map(nameOf);
  return [
    ...added.map((partner) => ({ en: `${partner} may debit it`, id: `${partner} boleh mendebitnya` })),
    ...removed.map((partner) => ({
      en: `${partner} may debit it no more`,
      id: `${partner} tidak boleh mendebitnya lagi`,
    })),
  ];
}
