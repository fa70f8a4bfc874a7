/** The items of a bulk, in the order of the request. */
import type { BulkItemView, Timeline } from "@titian/control/types";
import { type Answer, call } from "../../api/call.ts";
import { usePages } from "../../api/pages.ts";
import { Facts } from "../../design/facts.tsx";
import { Amount } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { PagedList, type Column } from "../../design/table.tsx";
import { ResponseBadge, StateBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { record } from "../../texts/record.ts";
import { word } from "../../texts/words.ts";

type Items = Answer<"GET /bulks/{bulkId}/items">;
const pageOf = ({ items, next }: Items) => ({ rows: items, next: next === null ? null : String(next) });
const idOf = ({ position }: BulkItemView) => position;

interface BulkItemsProps {
  readonly bulkId: string;
  readonly counts: NonNullable<Timeline["counts"]>;
}

export function BulkItems({ bulkId, counts }: BulkItemsProps) {
  const texts = record();
  const items = call("GET /bulks/{bulkId}/items", { params: { bulkId }, query: { limit: "50" } });
  const pages = usePages(items, { pageOf, idOf, cursorName: "after" });
  const columns: readonly Column<BulkItemView>[] = [
    {
      head: texts.item,
      cell: ({ position, partnerReferenceNo, referenceNo }) => (
        <a href={hrefOf(["record", referenceNo])}>{partnerReferenceNo || `#${position}`}</a>
      ),
    },
    { head: texts.beneficiary, cell: ({ beneficiaryName }) => beneficiaryName },
    {
      head: common().account,
      cell: (item) => <span class="number">{`${item.beneficiaryBankCode} ${item.beneficiaryAccountNo}`}</span>,
    },
    { head: common().amount, isNumber: true, cell: ({ amount }) => <Amount value={amount} /> },
    {
      head: texts.result,
      cell: ({ state, responseCode }) => (
        <span class="row">
          <StateBadge state={state} />
          {responseCode !== undefined && <ResponseBadge code={responseCode} />}
        </span>
      ),
    },
  ];
  return (
    <Panel title={texts.items} isFlush>
      <div class="panel-body">
        <Facts
          facts={[
            [texts.items, counts.items],
            [word("states", "settled"), counts.settled],
            [word("states", "rejected"), counts.rejected],
            [word("states", "returned"), counts.returned],
            [texts.open, counts.open],
          ]}
        />
      </div>
      <PagedList
        caption={texts.items}
        columns={columns}
        pages={pages}
        empty={{ title: texts.noItemsTitle }}
        moreLabel={common().loadMore}
      />
    </Panel>
  );
}
