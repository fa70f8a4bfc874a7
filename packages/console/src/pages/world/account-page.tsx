import type { AccountView, NumberedEntryView } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { type Answer, call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { isProduction, may } from "../../api/host.ts";
import { usePages } from "../../api/pages.ts";
import { useControl } from "../../api/resource.ts";
import { useConfirm } from "../../design/confirm.tsx";
import { Facts } from "../../design/facts.tsx";
import { Button, Segmented, TextField } from "../../design/inputs.tsx";
import { Amount, moneyText } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Unmask } from "../../design/personal.tsx";
import { ErrorNotice, errorText, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { PagedList, type Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { acts } from "../../texts/acts.ts";
import { common } from "../../texts/common.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { word } from "../../texts/words.ts";
import { OpenAct } from "../record/act-parts.tsx";

const pageOf = ({ entries, next, gaps }: Answer<"GET /accounts/{accountNo}/entries">) => ({
  rows: entries,
  next,
  gaps: gaps.map(({ first, last }) => world().entriesDetached(first, last)),
});
const idOf = ({ version }: NumberedEntryView) => version;
type Status = AccountView["status"];
const statuses: readonly Status[] = ["active", "dormant", "blocked", "closed"];
const everyMs = 5_000;
/** Postings of operators' acts: no record has their number. */
const ofActs = new Set(["funding", "withdrawal", "correction", "move"]);

export function AccountPage({ accountNo }: { readonly accountNo: string }) {
  const texts = world();
  const params = { accountNo };
  const { data, error, reload } = useControl(call("GET /accounts/{accountNo}", { params }), everyMs);
  const entries = call("GET /accounts/{accountNo}/entries", { params, query: { limit: "50" } });
  const pages = usePages(entries, { pageOf, idOf, everyMs });
  return (
    <Page
      title={`${common().account} ${data?.accountNo ?? accountNo}`}
      back={{ href: hrefOf(["world", "accounts"]), label: shell().accounts }}
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
                ]}
              />
            </div>
          </Panel>
          <Unmask number={accountNo} shown={data} />
          {data.openAct && <OpenAct act={data.openAct} />}
          {data.status !== "closed" && may("operator") && <FundPanel account={data} />}
          {!isProduction() && <StatusPanel account={data} />}
          <Panel title={texts.entries} isFlush>
            <PagedList caption={texts.entries} columns={columnsOf()} pages={pages} empty={{ title: texts.noEntries }} />
          </Panel>
        </>
      )}
    </Page>
  );
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
          <a class="number" href={hrefOf(["record", referenceNo])}>
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

/** By it a repeat, after an answer that was lost, funds no second time. */
const newReference = () => `console-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;

function FundPanel({ account }: { readonly account: AccountView }) {
  const texts = world();
  const params = { accountNo: account.accountId };
  const [amount, setAmount] = useState("1000000");
  const [reason, setReason] = useState("");
  const [reference, setReference] = useState(newReference);
  const { run, isRunning, error, result } = useAction(async () => {
    const { currency } = account;
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    const funded = await act(
      call("POST /accounts/{accountNo}/fund", { params, body: { amount, currency, reference, ...why } }),
    );
    setReference(newReference());
    setReason("");
    return funded;
  });
  // Another amount is another funding, also where the one before waits for approval.
  const change = (typed: string): void => {
    setAmount(typed);
    setReference(newReference());
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return (
    <Panel title={texts.fund} lead={texts.fundLead}>
      <form class="stack-tight" onSubmit={submit}>
        <TextField
          label={`${common().amount} (${account.currency})`}
          value={amount}
          onInput={change}
          isRequired
          isCode
        />
        <TextField label={acts().whyOptional} value={reason} onInput={setReason} maxLength={500} />
        <div>
          <Button type="submit" isBusy={isRunning}>
            {texts.fund}
          </Button>
        </div>
        {error && <ErrorNotice error={error} />}
        {result && <Notice tone="good">{texts.funded(moneyText(result.ledgerBalance, result.currency))}</Notice>}
      </form>
    </Panel>
  );
}

function StatusPanel({ account }: { readonly account: AccountView }) {
  const texts = world();
  const params = { accountNo: account.accountId };
  const [reason, setReason] = useState("");
  const { run, error, result } = useAction(async (status: Status) => {
    const why = reason.trim() === "" ? {} : { reason: reason.trim() };
    const changed = await act(call("PATCH /accounts/{accountNo}", { params, body: { status, ...why } }));
    setReason("");
    return changed;
  });
  const { ask, dialog } = useConfirm();
  const choose = (status: Status): void => {
    if (status !== "closed" || account.status === "closed") return run(status);
    ask({
      title: texts.closeTitle(account.accountNo),
      text: texts.closeText(account.name, moneyText(account.ledgerBalance, account.currency)),
      action: texts.closeAction,
      onConfirm: () => run(status),
    });
  };
  const options = statuses.map((status) => ({ value: status, label: texts.statusNames[status] }));
  return (
    <Panel title={texts.setStatus} lead={texts.closeWarning}>
      <div class="stack-tight">
        <div>
          <Segmented label={texts.setStatus} value={account.status} onChange={choose} options={options} />
        </div>
        <TextField label={acts().whyOptional} value={reason} onInput={setReason} maxLength={500} />
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {result?.note !== undefined && <Notice tone="good">{texts.blockedAtOnce}</Notice>}
      </div>
      {dialog}
    </Panel>
  );
}
