import type { AccountDetailsView, NumberedEntryView } from "@titian/control/types";
import { accountForms } from "../../acts/account-forms.ts";
import { ActForms } from "../../acts/act-forms.tsx";
import { OpenAct } from "../../acts/act-parts.tsx";
import { type Answer, call } from "../../api/call.ts";
import { usePages } from "../../api/pages.ts";
import { useControl } from "../../api/resource.ts";
import { type Fact, Facts } from "../../design/facts.tsx";
import { Amount, moneyText } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Unmask } from "../../design/personal.tsx";
import { Failure, Skeleton } from "../../design/states.tsx";
import { PagedList, type Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { backTo, hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { forms } from "../../texts/operations/forms.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { word } from "../../texts/words.ts";

const pageOf = ({ entries, next, gaps }: Answer<"GET /accounts/{accountNo}/entries">) => ({
  rows: entries,
  next,
  gaps: gaps.map(({ first, last }) => world().entriesDetached(first, last)),
});
const idOf = ({ version }: NumberedEntryView) => version;
const everyMs = 5_000;
/** Postings of operators' acts: no record has their number. */
const ofActs = new Set(["funding", "withdrawal", "correction", "move"]);
/** One journal of these may be of several transfers: all of them are found by its number. */
const ofSeveral = new Set(["settlement", "fee"]);

export function AccountPage({ accountNo }: { readonly accountNo: string }) {
  const texts = world();
  const params = { accountNo };
  const { data, error, reload } = useControl(call("GET /accounts/{accountNo}", { params }), everyMs);
  const entries = call("GET /accounts/{accountNo}/entries", { params, query: { limit: "50" } });
  const { data: all } = useControl(call("GET /partners"));
  const shown = data ? accountForms(data, all?.partners.map(({ partnerId }) => partnerId) ?? []) : [];
  const pages = usePages(entries, { pageOf, idOf, everyMs });
  return (
    <Page
      title={`${common().account} ${data?.accountNo ?? accountNo}`}
      back={{ href: backTo("world", "accounts"), label: shell().accounts }}
      actions={data && <StateBadge state={data.status} />}
    >
      {error && !data && (
        <Panel>
          <Failure error={error} onRetry={reload} />
        </Panel>
      )}
      {!error && !data && <Skeleton lines={4} />}
      {data && (
        <>
          <Panel>
            <div class="headline">{moneyText(data.availableBalance, data.currency)}</div>
            <p class="muted">{texts.available}</p>
            <div class="spaced">
              <Facts
                facts={[
                  [texts.holder, data.name],
                  [texts.ledger, <Amount value={data.ledgerBalance} currency={data.currency} />],
                  [texts.type, data.type === "D" ? texts.currentAccount : texts.savings],
                  ...termsOf(data),
                ]}
              />
            </div>
          </Panel>
          <Unmask number={accountNo} shown={data} />
          {data.openAct && <OpenAct act={data.openAct} />}
          <ActForms title={forms().panel} forms={shown} />
          <Panel title={texts.entries} isFlush>
            <PagedList caption={texts.entries} columns={columnsOf()} pages={pages} empty={{ title: texts.noEntries }} />
          </Panel>
        </>
      )}
    </Page>
  );
}

/** Terms that it has. */
function termsOf({ currency, limits, minimumBalance, partnerIds }: AccountDetailsView): readonly Fact[] {
  const texts = forms();
  const money = (amount: string | undefined) => amount !== undefined && <Amount value={amount} currency={currency} />;
  return [
    [texts.each, money(limits.each)],
    [texts.daily, money(limits.daily)],
    [texts.dailyCount, limits.dailyCount],
    [texts.minimumBalance, money(minimumBalance)],
    [world().debitPartner, partnerIds.join(", ")],
  ];
}

function columnsOf(): readonly Column<NumberedEntryView>[] {
  const texts = world();
  return [
    { head: common().time, cell: ({ at }) => <When at={at} /> },
    { head: texts.entry, cell: ({ kind }) => word("postings", kind) },
    {
      head: common().reference,
      cell: ({ referenceNo, kind }) =>
        ofActs.has(kind) ? (
          <span class="number">{referenceNo}</span>
        ) : (
          <a
            class="number"
            href={ofSeveral.has(kind) ? hrefOf(["find"], { number: referenceNo }) : hrefOf(["record", referenceNo])}
          >
            {referenceNo}
          </a>
        ),
    },
    {
      head: common().amount,
      isNumber: true,
      cell: ({ amount, direction }) => <Amount value={amount} direction={direction} />,
    },
    { head: texts.balanceAfter, isNumber: true, cell: ({ balanceAfter }) => <Amount value={balanceAfter} /> },
  ];
}
