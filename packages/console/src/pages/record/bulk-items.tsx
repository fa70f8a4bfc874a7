/** The items of a bulk, in the order of the request. */
import type { BulkItemView, Timeline } from "@titian/control/types";
import { type Answer, call } from "../../api/call.ts";
import { exportRows } from "../../api/export-rows.ts";
import { usePages } from "../../api/pages.ts";
import { Amount } from "../../design/money.tsx";
import { Panel } from "../../design/page.tsx";
import { Save } from "../../design/save.tsx";
import { PagedList, type Column } from "../../design/table.tsx";
import { ResponseWords, StateBadge } from "../../design/word-badge.tsx";
import { hrefOf, route, setQuery } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { record } from "../../texts/record.ts";
import { lists } from "../../texts/lists.ts";

type Items = Answer<"GET /bulks/{bulkId}/items">;
const pageOf = ({ items, next }: Items) => ({ rows: items, next: next === null ? null : String(next) });
const results = ["all", "settled", "rejected", "returned", "open"] as const;
const idOf = ({ position }: BulkItemView) => position;

interface BulkItemsProps {
  readonly bulkId: string;
  readonly counts: NonNullable<Timeline["counts"]>;
}

export function BulkItems({ bulkId, counts }: BulkItemsProps) {
  const texts = record();
  const asked = route.value.query.get("items");
  const shown = results.find((one) => one === asked) ?? "all";
  const callOf = (limit: string) =>
    call("GET /bulks/{bulkId}/items", { params: { bulkId }, query: { limit, state: shown } });
  const pages = usePages(callOf("50"), { pageOf, idOf, cursorName: "after" });
  const countOf = { ...counts, all: counts.items };
  return (
    <Panel title={texts.items} isFlush>
      <div class="panel-body">
        <div class="list-bar in-panel">
          <div class="row" role="group" aria-label={lists().itemsBy}>
            {results.map((result) => (
              <button
                key={result}
                type="button"
                class="button"
                aria-pressed={result === shown}
                onClick={() => setQuery({ items: result === "all" ? undefined : result })}
              >
                {lists().itemsOf[result]} <span class="amount">{countOf[result]}</span>
              </button>
            ))}
          </div>
          <Save
            save={(format) =>
              exportRows({
                call: callOf("1000"),
                pageOf,
                cursorName: "after",
                format,
                name: `bulk-${bulkId}`,
              })
            }
          />
        </div>
      </div>
      <PagedList
        caption={texts.items}
        columns={columnsOf()}
        pages={pages}
        empty={{ title: shown === "all" ? texts.noItemsTitle : lists().nothingFits }}
        moreLabel={common().loadMore}
      />
    </Panel>
  );
}

function columnsOf(): readonly Column<BulkItemView>[] {
  const texts = record();
  return [
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
      cell: ({ state, responseCode, responseMessage }) => (
        <span class="row">
          <StateBadge state={state} />
          {responseCode !== undefined && <ResponseWords code={responseCode} message={responseMessage} />}
        </span>
      ),
    },
  ];
}
