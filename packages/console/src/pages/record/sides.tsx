/** The parties of a payment or transfer, with the balances and entries of those that bank here. */
import type { EntryView, Side } from "@titian/control/types";
import { Facts } from "../../design/facts.tsx";
import { Amount } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { Table, type Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge } from "../../design/word-badge.tsx";
import { record } from "../../texts/record.ts";
import { common } from "../../texts/common.ts";
import { word } from "../../texts/words.ts";
import { AccountLink } from "./timeline.tsx";

export function SidePanel({ side }: { readonly side: Side }) {
  const texts = record();
  const { role, accountNo, name, account, bankCode, bankName, entries } = side;
  const title = name === undefined ? word("roles", role) : `${word("roles", role)}: ${name}`;
  return (
    <Panel title={title} actions={account && <StateBadge state={account.status} />} isFlush>
      <div class="panel-body">
        <Facts
          facts={[
            [
              common().account,
              account ? (
                <AccountLink accountNo={accountNo} accountId={account.accountId} />
              ) : (
                <span class="number">{accountNo}</span>
              ),
            ],
            [
              texts.availableBalance,
              account && <Amount value={account.availableBalance} currency={account.currency} />,
            ],
            [texts.ledgerBalance, account && <Amount value={account.ledgerBalance} currency={account.currency} />],
          ]}
        />
        {!account && (bankName ?? bankCode) !== undefined && (
          <p class="muted small">{texts.otherBank([bankName, bankCode].filter(Boolean).join(", "))}</p>
        )}
        {account && entries.length === 0 && <p class="muted small">{texts.noEntries}</p>}
      </div>
      {entries.length > 0 && <Entries entries={entries} caption={`${texts.entries} ${accountNo}`} />}
    </Panel>
  );
}

function Entries({ entries, caption }: { readonly entries: readonly EntryView[]; readonly caption: string }) {
  const texts = record();
  const columns: readonly Column<EntryView>[] = [
    { head: common().time, cell: ({ at }) => <When at={at} kind="short" /> },
    { head: texts.entry, cell: ({ kind }) => word("postings", kind) },
    {
      head: common().amount,
      isNumber: true,
      cell: ({ amount, direction }) => <Amount value={amount} direction={direction} />,
    },
    { head: texts.balanceAfter, isNumber: true, cell: ({ balanceAfter }) => <Amount value={balanceAfter} /> },
  ];
  return <Table caption={caption} columns={columns} rows={entries} keyOf={(_, position) => position} />;
}
