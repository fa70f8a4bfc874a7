/** The lists of what the service holds: payments, transfers, payment requests, bulks. */
import type { BulkView, HoldView, PaymentRequestView, TransferView } from "@titian/control/types";
import type { ComponentChildren } from "preact";
import { call } from "../../api/call.ts";
import { isProduction } from "../../api/host.ts";
import type { FilterField } from "../../design/filter-bar.tsx";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import type { Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge, StatusBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { lists } from "../../texts/lists.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { AccountLink } from "../record/timeline.tsx";
import {
  amountFields,
  dayFields,
  FilteredList,
  stateField,
  usePartnerField,
  useServiceField,
} from "./filtered-list.tsx";

type ListPageProps<Answer, Row extends object> = Omit<
  Parameters<typeof FilteredList<Answer, Row>>[0],
  "caption" | "empty"
> & {
  readonly title: string;
  readonly lead: string;
  readonly empty: string;
  /** The operation that makes the first one. */
  readonly operation: string;
};

function ListPage<Answer, Row extends object>(props: ListPageProps<Answer, Row>) {
  const { title, lead, empty, operation, fields, ...list } = props;
  const partner = usePartnerField();
  return (
    <Page title={title} lead={lead}>
      <Panel isFlush>
        <FilteredList
          {...list}
          caption={title}
          fields={[partner, ...fields, ...dayFields(), ...amountFields()]}
          empty={{ title: empty, text: !isProduction() && <FirstOne operation={operation} /> }}
        />
      </Panel>
    </Page>
  );
}

function FirstOne({ operation }: { readonly operation: string }) {
  return (
    <a class="button" href={hrefOf(["try", operation])}>
      {world().tryOne}
    </a>
  );
}

const recordLink = (referenceNo: string, text: ComponentChildren) => (
  <a class="number" href={hrefOf(["record", referenceNo])}>
    {text}
  </a>
);

const money = <Row extends { readonly currency: string }>(
  head: string,
  valueOf: (row: Row) => string | undefined,
): Column<Row> => ({
  head,
  isNumber: true,
  cell: (row) => <Amount value={valueOf(row)} currency={row.currency} />,
});

const holdStates: readonly HoldView["state"][] = [
  "open",
  "partlyCaptured",
  "captured",
  "lapsed",
  "refunded",
  "voided",
  "expired",
];
const transferStates = ["queued", "submitted", "pending", "settled", "rejected", "returned"];
const requestStates: readonly PaymentRequestView["state"][] = ["waiting", "approved", "declined", "expired"];

function openField(): FilterField {
  return {
    name: "open",
    label: world().results,
    kind: "choice",
    options: [{ value: "true", label: lists().itemsOpen }],
  };
}

export function HoldsPage() {
  const texts = world();
  const columns: readonly Column<HoldView>[] = [
    { head: common().partnerReference, cell: (row) => recordLink(row.referenceNo, row.partnerReferenceNo) },
    { head: common().partner, cell: ({ partnerId }) => partnerId },
    { head: texts.merchant, cell: ({ merchantId }) => merchantId },
    { head: common().time, cell: ({ placedAt }) => <When at={placedAt} kind="short" /> },
    { head: texts.expires, cell: ({ expiresAt }) => <When at={expiresAt} kind="short" /> },
    { head: common().state, cell: ({ state }) => <StateBadge state={state} /> },
    money(texts.held, ({ held }) => held),
    money(texts.captured, ({ captured }) => captured),
    money(texts.remaining, ({ remaining }) => remaining),
  ];
  return (
    <ListPage
      title={shell().holds}
      lead={texts.holdsLead}
      name="holds"
      fields={[stateField(holdStates)]}
      callOf={(query) => call("GET /holds", { query })}
      pageOf={({ holds, next, count }) => ({ rows: holds, next, count })}
      idOf={({ referenceNo }) => referenceNo}
      columns={columns}
      empty={texts.noHolds}
      operation="authPayment"
    />
  );
}

export function TransfersPage() {
  const texts = world();
  const service = useServiceField((one) => (one.kind === "write" && one.noun === "transfer" ? one : undefined));
  const columns: readonly Column<TransferView>[] = [
    { head: common().partnerReference, cell: (row) => recordLink(row.referenceNo, row.partnerReferenceNo) },
    { head: common().partner, cell: ({ partnerId }) => partnerId },
    { head: texts.service, cell: ({ serviceCode }) => serviceCode },
    { head: common().time, cell: ({ acceptedAt }) => <When at={acceptedAt} kind="short" /> },
    { head: texts.from, cell: ({ payerAccountNo }) => <AccountLink accountNo={payerAccountNo} /> },
    {
      head: texts.to,
      cell: ({ beneficiaryBankCode, beneficiaryAccountNo }) =>
        beneficiaryBankCode === undefined ? (
          <AccountLink accountNo={beneficiaryAccountNo} />
        ) : (
          <span class="number">{`${beneficiaryBankCode} ${beneficiaryAccountNo}`}</span>
        ),
    },
    { head: common().state, cell: ({ state }) => <StateBadge state={state} /> },
    money(common().amount, ({ amount }) => amount),
    money(common().fee, ({ fee }) => fee),
  ];
  return (
    <ListPage
      title={shell().transfers}
      lead={texts.transfersLead}
      name="transfers"
      fields={[service, stateField(transferStates)]}
      callOf={(query) => call("GET /transfers", { query })}
      pageOf={({ transfers, next, count, detached }) => ({
        rows: transfers,
        next,
        count,
        gaps: detached.map(texts.transfersDetached),
      })}
      idOf={({ referenceNo }) => referenceNo}
      columns={columns}
      empty={texts.noTransfers}
      operation="interbankTransfer"
    />
  );
}

export function PaymentRequestsPage() {
  const texts = world();
  const columns: readonly Column<PaymentRequestView>[] = [
    { head: common().partnerReference, cell: (row) => recordLink(row.referenceNo, row.partnerReferenceNo) },
    { head: common().partner, cell: ({ partnerId }) => partnerId },
    { head: common().time, cell: ({ acceptedAt }) => <When at={acceptedAt} kind="short" /> },
    { head: texts.from, cell: ({ payerAccountNo }) => <AccountLink accountNo={payerAccountNo} /> },
    { head: texts.to, cell: ({ beneficiaryName }) => beneficiaryName },
    { head: texts.expires, cell: ({ expiresAt }) => <When at={expiresAt} kind="short" /> },
    { head: common().state, cell: ({ state }) => <StateBadge state={state} /> },
    {
      head: common().amount,
      isNumber: true,
      cell: ({ amount, currency }) =>
        amount === undefined ? texts.openAmount : <Amount value={amount} currency={currency} />,
    },
  ];
  return (
    <ListPage
      title={shell().paymentRequests}
      lead={texts.paymentRequestsLead}
      name="payment-requests"
      fields={[stateField(requestStates)]}
      callOf={(query) => call("GET /payment-requests", { query })}
      pageOf={({ paymentRequests, next, count }) => ({ rows: paymentRequests, next, count })}
      idOf={({ referenceNo }) => referenceNo}
      columns={columns}
      empty={texts.noPaymentRequests}
      operation="requestForPayment"
    />
  );
}

export function BulksPage() {
  const texts = world();
  const columns: readonly Column<BulkView>[] = [
    { head: common().reference, cell: ({ bulkId, partnerBulkId }) => recordLink(bulkId, partnerBulkId ?? bulkId) },
    { head: common().partner, cell: ({ partnerId }) => partnerId },
    { head: common().time, cell: ({ acceptedAt }) => <When at={acceptedAt} kind="short" /> },
    { head: texts.from, cell: ({ payerAccountNo }) => <AccountLink accountNo={payerAccountNo} /> },
    { head: texts.results, cell: ({ settled, items, open }) => texts.bulkResults(settled, items, open) },
    { head: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    money(common().amount, ({ amount }) => amount),
    money(common().fee, ({ fee }) => fee),
  ];
  return (
    <ListPage
      title={shell().bulks}
      lead={texts.bulksLead}
      name="bulks"
      fields={[openField()]}
      callOf={(query) => call("GET /bulks", { query })}
      pageOf={({ bulks, next, count }) => ({ rows: bulks, next, count })}
      idOf={({ bulkId }) => bulkId}
      columns={columns}
      empty={texts.noBulks}
      operation="interbankBulkTransfer"
    />
  );
}
