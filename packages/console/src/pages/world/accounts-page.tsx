import type { AccountView } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { type Answer, call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { usePages } from "../../api/pages.ts";
import { useControl } from "../../api/resource.ts";
import { Button, SelectField, TextField } from "../../design/inputs.tsx";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Notice } from "../../design/states.tsx";
import { PagedList, type Column } from "../../design/table.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";

const pageOf = ({ accounts, next }: Answer<"GET /accounts">) => ({ rows: accounts, next });
const idOf = ({ accountNo }: AccountView) => accountNo;

export function AccountsPage() {
  const texts = world();
  const pages = usePages(call("GET /accounts", { query: { limit: "50" } }), { pageOf, idOf, cursorName: "after" });
  const columns: readonly Column<AccountView>[] = [
    {
      head: common().account,
      cell: ({ accountNo }) => (
        <a class="number" href={hrefOf(["world", "accounts", accountNo])}>
          {accountNo}
        </a>
      ),
    },
    { head: texts.holder, cell: ({ name }) => name },
    { head: texts.type, cell: ({ type }) => (type === "D" ? texts.currentAccount : texts.savings) },
    { head: texts.status, cell: ({ status }) => <StateBadge state={status} /> },
    {
      head: texts.ledger,
      isNumber: true,
      cell: ({ ledgerBalance, currency }) => <Amount value={ledgerBalance} currency={currency} />,
    },
    {
      head: texts.available,
      isNumber: true,
      cell: ({ availableBalance, currency }) => <Amount value={availableBalance} currency={currency} />,
    },
  ];
  return (
    <Page title={shell().accounts} lead={texts.accountsLead}>
      <Panel isFlush>
        <PagedList
          caption={shell().accounts}
          columns={columns}
          pages={pages}
          empty={{ title: texts.noAccounts }}
          moreLabel={texts.accountsAfter}
        />
      </Panel>
      <NewAccount />
    </Page>
  );
}

function NewAccount() {
  const texts = world();
  const [name, setName] = useState("Dewi Lestari");
  const [balance, setBalance] = useState("1000000.00");
  const [partnerId, setPartnerId] = useState("");
  const { data, error: unread } = useControl(call("GET /partners"));
  const { run, isRunning, error, result } = useAction(() =>
    act(call("POST /accounts", { body: { name, balance, ...(partnerId !== "" && { partnerId }) } })),
  );
  const options = [
    { value: "", label: texts.nobody },
    ...(data?.partners ?? []).map((partner) => ({ value: partner.partnerId, label: partner.partnerId })),
  ];
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  return (
    <Panel title={texts.newAccount} lead={texts.newAccountLead}>
      <form class="stack-tight" onSubmit={submit}>
        <div class="columns">
          <TextField label={texts.name} value={name} onInput={setName} isRequired />
          <TextField label={`${texts.balance} (IDR)`} value={balance} onInput={setBalance} isRequired isCode />
          <SelectField label={texts.debitPartner} value={partnerId} onChange={setPartnerId} options={options} />
        </div>
        <div>
          <Button type="submit" isBusy={isRunning}>
            {texts.create}
          </Button>
        </div>
        {unread && !data && <Notice tone="bad">{errorText(unread)}</Notice>}
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {result && (
          <Notice tone="good">
            <a href={hrefOf(["world", "accounts", result.accountNo])}>{texts.created(result.accountNo)}</a>
          </Notice>
        )}
      </form>
    </Panel>
  );
}
