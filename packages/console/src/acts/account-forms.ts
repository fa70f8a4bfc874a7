/** Forms of acts on accounts, each kind a row. */
import type { AccountDetailsView } from "@titian/control/types";
import { call } from "../api/call.ts";
import { inCell } from "../api/cells.ts";
import { moneyText } from "../design/money.tsx";
import { common } from "../texts/common.ts";
import { cells } from "../texts/operations/cells.ts";
import { forms } from "../texts/operations/forms.ts";
import { world } from "../texts/world.ts";
import { word } from "../texts/words.ts";
import { addAmounts, negated } from "./amounts.ts";
import { type ActForm, differing, filled, type FormChange, type FormField } from "./form.ts";

type Account = AccountDetailsView;

/** Forms that the account's status leaves; `partnerIds`: of all partners. */
export function accountForms(account: Account, partnerIds: readonly string[]): readonly ActForm[] {
  const { status } = account;
  if (status === "closed" || status === "moved" || status === "arriving") return [];
  return [
    moneyForm(account, "fund"),
    moneyForm(account, "withdraw"),
    correctionForm(account),
    status === "blocked" ? statusForm(account, "unblock") : statusForm(account, "block"),
    ...(status === "dormant" ? [statusForm(account, "wake")] : []),
    limitsForm(account),
    ...permissionForms(account, partnerIds),
    statusForm(account, "close"),
  ];
}

const titleOf = (action: string, { accountNo, name }: Account) => forms().onAccount(action, accountNo, name);

const amountField = (currency: string): FormField => ({
  name: "amount",
  label: `${common().amount} (${currency})`,
  kind: "amount",
});

/** Both balances with the amount added. */
function balances({ currency, ledgerBalance, availableBalance }: Account, amount: string): readonly FormChange[] {
  const row = (name: string, before: string): FormChange => {
    const after = addAmounts(before, amount);
    return { name, before: moneyText(before, currency), after: after === undefined ? "–" : moneyText(after, currency) };
  };
  return differing([row(world().ledger, ledgerBalance), row(world().available, availableBalance)]);
}

function moneyForm(account: Account, kind: "fund" | "withdraw"): ActForm {
  const { accountId: accountNo, currency } = account;
  const texts = forms().kinds[kind];
  const route = kind === "fund" ? "POST /accounts/{accountNo}/fund" : "POST /accounts/{accountNo}/withdraw";
  return {
    route,
    ...texts,
    title: titleOf(texts.action, account),
    fields: [amountField(currency)],
    changes: ({ amount = "" }) => balances(account, kind === "fund" ? amount : negated(amount)),
    callOf: ({ amount = "" }, words, reference) =>
      call(route, { params: { accountNo }, body: { amount, currency, reference, ...words } }),
  };
}

function correctionForm(account: Account): ActForm {
  const { accountId: accountNo, currency } = account;
  const texts = forms();
  const own = texts.kinds.correct;
  return {
    route: "POST /corrections",
    ...own,
    title: titleOf(own.action, account),
    fields: [
      {
        name: "direction",
        label: texts.direction,
        kind: "choice",
        options: [
          { value: "credit", label: texts.credit },
          { value: "debit", label: texts.debit },
        ],
      },
      amountField(currency),
      { name: "entries", label: texts.otherAccount, hint: texts.otherAccountHint, kind: "text" },
    ],
    changes: ({ amount = "", direction }) => balances(account, direction === "debit" ? negated(amount) : amount),
    callOf: ({ amount = "", direction, entries: other = "" }, words, reference) => {
      const [mine, theirs] = direction === "debit" ? (["debit", "credit"] as const) : (["credit", "debit"] as const);
      const entries = [
        { accountNo, direction: mine, amount },
        { accountNo: other, direction: theirs, amount },
      ];
      return call("POST /corrections", { body: { entries, currency, reference, ...words } });
    },
  };
}

const statuses = { block: "blocked", unblock: "active", wake: "active", close: "closed" } as const;

function statusForm(account: Account, kind: keyof typeof statuses): ActForm {
  const { accountId: accountNo } = account;
  const texts = forms().kinds[kind];
  const status = statuses[kind];
  return {
    route: "PATCH /accounts/{accountNo}",
    ...texts,
    isAtOnce: kind === "block",
    isGrave: kind === "block" || kind === "close",
    title: titleOf(texts.action, account),
    fields: [],
    changes: () => [{ name: world().status, before: word("states", account.status), after: word("states", status) }],
    callOf: (_, words) => call("PATCH /accounts/{accountNo}", { params: { accountNo }, body: { status, ...words } }),
  };
}

function limitsForm(account: Account): ActForm {
  const { accountId: accountNo, currency, limits, minimumBalance } = account;
  const { each = "", daily = "", dailyCount } = limits;
  const texts = forms();
  const own = texts.kinds.limits;
  const before = { each, daily, dailyCount: dailyCount === undefined ? "" : String(dailyCount), minimumBalance };
  const money = (amount: string) =>
    amount === "" ? texts.noLimit : moneyText(withDecimals(amount, account), currency);
  const inCurrency = (label: string) => `${label} (${currency})`;
  return {
    route: "PATCH /accounts/{accountNo}",
    ...own,
    title: titleOf(own.action, account),
    seen: JSON.stringify(before),
    fields: [
      { name: "each", label: inCurrency(texts.each), kind: "amount", initial: each, isOptional: true },
      { name: "daily", label: inCurrency(texts.daily), kind: "amount", initial: daily, isOptional: true },
      { name: "dailyCount", label: texts.dailyCount, kind: "count", initial: before.dailyCount, isOptional: true },
      {
        name: "minimumBalance",
        label: inCurrency(texts.minimumBalance),
        kind: "amount",
        initial: minimumBalance ?? "",
        isOptional: true,
      },
    ],
    changes: (given) =>
      differing([
        { name: texts.each, before: money(each), after: money(given["each"] ?? "") },
        { name: texts.daily, before: money(daily), after: money(given["daily"] ?? "") },
        {
          name: texts.dailyCount,
          before: before.dailyCount || texts.noLimit,
          after: given["dailyCount"] || texts.noLimit,
        },
        {
          name: texts.minimumBalance,
          before: money(minimumBalance ?? ""),
          after: money(given["minimumBalance"] || (minimumBalance ?? "")),
        },
      ]),
    callOf: (given, words) => {
      const { dailyCount: count, ...amounts } = filled(given, "each", "daily", "dailyCount");
      const changed = { ...amounts, ...(count !== undefined && { dailyCount: Number(count) }) };
      const body = { limits: changed, ...filled(given, "minimumBalance"), ...words };
      return call("PATCH /accounts/{accountNo}", { params: { accountNo }, body });
    },
  };
}

/** With as many decimals as the account's balance has, so that an unchanged limit reads alike. */
const withDecimals = (amount: string, { ledgerBalance }: Account): string => {
  const places = ledgerBalance.split(".")[1]?.length ?? 0;
  return addAmounts(amount, places === 0 ? "0" : `0.${"0".repeat(places)}`) ?? amount;
};

/** Partners that may debit the account: one is added or taken away. */
function permissionForms(account: Account, partnerIds: readonly string[]): readonly ActForm[] {
  const { accountId: accountNo, partnerIds: allowed } = account;
  const others = partnerIds.filter((one) => !allowed.includes(one));
  const listed = (all: readonly string[]) => all.join(", ") || common().none;
  const formOf = (kind: "allow" | "disallow", choices: readonly string[]): ActForm => {
    const texts = forms().kinds[kind];
    const after = ({ partnerId = "" }) =>
      kind === "allow" ? [...allowed, partnerId] : allowed.filter((one) => one !== partnerId);
    return {
      route: "PATCH /accounts/{accountNo}",
      ...texts,
      title: titleOf(texts.action, account),
      fields: [
        {
          name: "partnerId",
          label: common().partner,
          kind: "choice",
          options: choices.map((value) => ({ value, label: value })),
        },
      ],
      changes: (given) => [{ name: world().debitPartner, before: listed(allowed), after: listed(after(given)) }],
      callOf: ({ partnerId = "" }, words) =>
        call("PATCH /accounts/{accountNo}", {
          params: { accountNo },
          body: {
            ...(kind === "allow" ? { addPartnerIds: [partnerId] } : { removePartnerIds: [partnerId] }),
            ...words,
          },
        }),
    };
  };
  return [
    ...(others.length > 0 ? [formOf("allow", others)] : []),
    ...(allowed.length > 0 ? [formOf("disallow", allowed)] : []),
  ];
}

/** Opening of an account, which has no page yet. `cell`: the further one that gets it. */
export function openingForm(partnerIds: readonly string[], cell?: string): ActForm {
  const texts = forms();
  const own = texts.kinds.openAccount;
  const { name, balance, debitPartner, nobody } = world();
  return {
    route: "POST /accounts",
    ...own,
    title: own.action,
    fields: [
      { name: "name", label: name, kind: "text" },
      { name: "accountNo", label: common().account, hint: texts.numberHint, kind: "text", isOptional: true },
      { name: "balance", label: `${balance} (IDR)`, kind: "amount", initial: "0" },
      {
        name: "partnerId",
        label: debitPartner,
        kind: "choice",
        options: [{ value: "", label: nobody }, ...partnerIds.map((value) => ({ value, label: value }))],
        isOptional: true,
      },
    ],
    changes: (given) => [
      {
        name: common().account,
        before: common().none,
        after: [given["accountNo"], given["name"]].filter(Boolean).join(" "),
      },
      { name: balance, before: common().none, after: moneyText(given["balance"] ?? "", "IDR") },
      ...(cell === undefined ? [] : [{ name: cells().number, before: common().none, after: cell }]),
    ],
    callOf: ({ name: holder = "", balance: amount = "", ...given }, words) =>
      inCell(
        call("POST /accounts", {
          body: { name: holder, balance: amount, ...filled(given, "accountNo", "partnerId"), ...words },
        }),
        cell,
      ),
  };
}
