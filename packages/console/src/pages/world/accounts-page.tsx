import type { AccountView } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { type Answer, call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Button, SelectField, TextField } from "../../design/inputs.tsx";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { ErrorNotice, errorText, Notice } from "../../design/states.tsx";
import type { Column } from "../../design/table.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { lists } from "../../texts/lists.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { AccountLink } from "../record/timeline.tsx";
import { amountFields, FilteredList, stateField, usePartnerField } from "./filtered-list.tsx";

const pageOf = ({ accounts, next, count }: Answer<"GET /accounts">) => ({ rows: accounts, next, count });
const statuses: readonly AccountView["status"][] = ["active", "dormant", "blocked", "closed"];
const idOf = ({ accountId }: AccountView) => accountId;

export function AccountsPage() {
  const texts = world();
  const partner = usePartnerField();
  const columns: readonly Column<AccountView>[] = [
    {
      head: common().account,
      cell: (row) => <AccountLink {...row} />,
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
        <FilteredList
          caption={shell().accounts}
          name="accounts"
          fields={[
            { ...partner, label: texts.debitPartner },
            stateField(statuses, "status", texts.status),
            ...amountFields(lists().balance),
          ]}
          callOf={(query) => call("GET /accounts", { query })}
          pageOf={pageOf}
          idOf={idOf}
          cursorName="after"
          hasOrder={false}
          columns={columns}
          empty={{ title: texts.noAccounts }}
        />
      </Panel>
      {!isProduction() && <NewAccount />}
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
        {error && <ErrorNotice error={error} />}
        {result && (
          <Notice tone="good">
            <a href={hrefOf(["world", "accounts", result.accountNo])}>{texts.created(result.accountNo)}</a>
          </Notice>
        )}
      </form>
    </Panel>
  );
}
