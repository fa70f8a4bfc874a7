import type { AccountView } from "@titian/control/types";
import { openingForm } from "../../acts/account-forms.ts";
import { ActForms } from "../../acts/act-forms.tsx";
import { type Answer, call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import type { Column } from "../../design/table.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { cellShown } from "../../routing/router.ts";
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
      <NewAccount />
    </Page>
  );
}

function NewAccount() {
  const { data } = useControl(call("GET /partners"));
  const form = openingForm(data?.partners.map(({ partnerId }) => partnerId) ?? [], cellShown());
  return <ActForms title={world().newAccount} forms={[form]} />;
}
