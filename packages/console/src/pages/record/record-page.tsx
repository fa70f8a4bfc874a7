/** Where the money is: a payment, transfer, payment request or bulk, with all that happened to it. */
import type { Side, Timeline } from "@titian/control/types";
import type { ComponentChildren } from "preact";
import { call } from "../../api/call.ts";
import { isProduction, may } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Facts, type Fact } from "../../design/facts.tsx";
import { Amount, moneyText } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Unmask } from "../../design/personal.tsx";
import { countText } from "../../design/save.tsx";
import { Failure, Notice, Skeleton } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge, StatusBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { lists } from "../../texts/lists.ts";
import { record } from "../../texts/record.ts";
import { search } from "../../texts/search.ts";
import { shell } from "../../texts/shell.ts";
import { meaningOf, word } from "../../texts/words.ts";
import { OpenAct } from "../../acts/act-parts.tsx";
import { ReceiverTest } from "../receiver/receiver-test.tsx";
import { RecordCalls } from "./record-calls.tsx";
import { Actions } from "./actions.tsx";
import { BulkItems } from "./bulk-items.tsx";
import { HoldBar } from "./hold-bar.tsx";
import { NextCalls } from "./next-calls.tsx";
import { SidePanel } from "./sides.tsx";
import { Events } from "./timeline.tsx";

const everyMs = 4_000;

interface RecordPageProps {
  readonly referenceNo: string;
  readonly query: URLSearchParams;
}

export function RecordPage({ referenceNo, query }: RecordPageProps) {
  const texts = record();
  const { data, error, reload } = useControl(call("GET /timeline/{referenceNo}", { params: { referenceNo } }), everyMs);
  const back = backOf(query);
  if (!data) {
    return (
      <Page title={referenceNo} back={back}>
        <Panel>{error ? <Failure error={error} onRetry={reload} /> : <Skeleton lines={6} />}</Panel>
      </Page>
    );
  }
  const [number, by] = [query.get("number"), query.get("by")];
  const found = number !== null && by !== null && texts.foundBy(word("numbers", by), number);
  const amount = data.amount === undefined ? "" : moneyText(data.amount, data.currency);
  const failed = data.events.findLast(({ kind, failure }) => kind === "delivery" && failure !== undefined);
  return (
    <Page
      title={texts.title(word("kinds", data.kind), amount)}
      back={back}
      lead={[`${sayingOf(data)}.`, found].filter(Boolean).join(" ")}
      actions={
        <>
          <StateBadge state={data.state} />
          <StatusBadge status={data.status} />
        </>
      }
    >
      <Panel title={texts.facts}>
        <Facts facts={factsOf(data)} />
      </Panel>
      <Unmask number={referenceNo} shown={data} />
      {data.openAct && <OpenAct act={data.openAct} />}
      <Actions timeline={data} />
      {!isProduction() && <NextCalls timeline={data} />}
      {data.hold && <HoldBar hold={data.hold} currency={data.currency} />}
      <div class="two-columns record">
        <div class="stack">
          <Panel title={texts.timeline}>
            {data.isCut && <Notice>{texts.cut}</Notice>}
            <Events events={data.events} currency={data.currency} />
          </Panel>
          {failed && !isProduction() && <ReceiverTest partnerId={data.partnerId} serviceCode={failed.serviceCode} />}
        </div>
        <div class="stack">
          {data.sides.map((side) => (
            <SidePanel key={`${side.role} ${side.accountNo}`} side={side} />
          ))}
        </div>
      </div>
      {may("support", "operator", "approver", "auditor") && (
        <RecordCalls referenceNo={referenceNo} partnerId={data.partnerId} />
      )}
      {data.counts && <BulkItems bulkId={data.referenceNo} counts={data.counts} />}
    </Page>
  );
}

/** To the results that it is one of. */
function backOf(query: URLSearchParams): { readonly href: string; readonly label: string } {
  const number = query.get("number");
  return number === null || query.get("of") === null
    ? { href: hrefOf([]), label: shell().home }
    : { href: hrefOf(["find"], { number }), label: search().resultsTitle(number) };
}

function sayingOf({ kind, state, meaning, counts }: Timeline): string {
  if (!counts) return meaningOf(kind, state, meaning);
  const { items, ...results } = counts;
  const shown = (["settled", "rejected", "returned", "open"] as const).filter((name) => results[name] > 0);
  const parts = shown.map((name) => `${lists().itemsOf[name].toLowerCase()} ${countText(results[name])}`);
  return record().itemsSaid(countText(items), parts.join(", "));
}

/** A party, and its bank where that is another one. */
function partyOf({ name, accountNo, bankName, bankCode }: Side): ComponentChildren {
  const bank = bankName ?? bankCode;
  return (
    <>
      {name} <span class="number">{accountNo}</span>
      {bank !== undefined && `, ${bank}`}
    </>
  );
}

function Fee({ timeline: { currency, returnedFee }, fee }: { readonly timeline: Timeline; readonly fee: string }) {
  const returned = returnedFee === undefined ? "" : moneyText(returnedFee, currency);
  return (
    <>
      <Amount value={fee} currency={currency} />
      {returned !== "" && ` (${returnedFee === fee ? record().feeReturned : record().ofFeeReturned(returned)})`}
    </>
  );
}

function factsOf(data: Timeline): readonly Fact[] {
  const texts = record();
  const number = (text: string | undefined) => text && <span class="number">{text}</span>;
  return [
    ...data.sides.map((side): Fact => [word("roles", side.role), partyOf(side)]),
    [common().reference, number(data.referenceNo)],
    [common().partnerReference, number(data.partnerReferenceNo)],
    [common().externalId, number(data.externalId)],
    [common().partner, data.partnerId],
    [texts.service, `${data.serviceCode} ${data.operation}`],
    [texts.acceptedAt, <When at={data.acceptedAt} />],
    [
      common().amount,
      data.amount === undefined ? texts.openAmount : <Amount value={data.amount} currency={data.currency} />,
    ],
    [common().fee, data.fee && <Fee timeline={data} fee={data.fee} />],
    [texts.rail, data.rail && word("rails", data.rail)],
    [texts.trace, number(data.traceNo)],
    [texts.merchant, data.merchantId],
    [texts.expiresAt, data.expiresAt && <When at={data.expiresAt} />],
    [
      texts.bulk,
      data.bulkId && (
        <a href={hrefOf(["record", data.bulkId])}>
          <span class="number">{data.bulkId}</span>
          {data.bulkPosition !== undefined && ` (${texts.position(data.bulkPosition)})`}
        </a>
      ),
    ],
  ];
}
