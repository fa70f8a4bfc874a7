/** A list with its filter, order, count and files. What is chosen is in the page's address, so that a link shows the same. */
import type { ComponentChildren } from "preact";
import type { OperationView } from "@titian/sandbox/types";
import { type Call, call } from "../../api/call.ts";
import { inCell, useCells } from "../../api/cells.ts";
import { exportRows, type FileFormat } from "../../api/export-rows.ts";
import { type Pages, type RowCount, type RowsPage, usePages } from "../../api/pages.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { FilterBar, type FilterField, type FilterValues } from "../../design/filter-bar.tsx";
import { SelectField } from "../../design/inputs.tsx";
import { countText as countOf, Save } from "../../design/save.tsx";
import { PagedList, type Column } from "../../design/table.tsx";
import { cellShown, route, setQuery } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { lists } from "../../texts/lists.ts";
import { cells as cellTexts } from "../../texts/operations/cells.ts";
import { titleOf } from "../../texts/sentence.ts";
import { word } from "../../texts/words.ts";

/** Values of an address, which the service checks: they are of any type that a row's query has. */
export type ListQuery = Readonly<Record<string, never>>;

const orders = ["newest", "oldest"] as const;
const liveMs = 5_000;
/** A filter may look through many rows. */
const filteredMs = 15_000;

interface FilteredListProps<Answer, Row> {
  readonly caption: string;
  readonly fields: readonly FilterField[];
  readonly callOf: (query: ListQuery) => Call<Answer>;
  readonly pageOf: (answer: Answer) => RowsPage<Row>;
  readonly idOf: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  readonly empty: { readonly title: string; readonly text?: ComponentChildren };
  /** Name of the file, such as `transfers`. */
  readonly name: string;
  /** Rows of a page of a file. */
  readonly pageMax?: "1000" | "100";
  /** Name of the cursor where it is the same in both orders. */
  readonly cursorName?: string;
  /** False: the list has an order of its own. */
  readonly hasOrder?: boolean;
  /** False: its call has no count. */
  readonly isCounted?: boolean;
}

export function FilteredList<Answer, Row extends object>(props: FilteredListProps<Answer, Row>) {
  const { caption, callOf, pageOf, idOf, columns, empty, name, pageMax = "1000" } = props;
  const { hasOrder = true, isCounted = true } = props;
  const { query } = route.value;
  const fields = [...useCellField(), ...props.fields];
  const values: FilterValues = Object.fromEntries(
    fields.map((field) => [field.name, query.get(field.name) ?? undefined]),
  );
  const { cell, ...conditions } = values;
  const isFiltered = Object.values(conditions).some((value) => value !== undefined);
  const order = hasOrder && query.get("order") === "oldest" ? "oldest" : "newest";
  const isOldest = order === "oldest";
  const cursorName = props.cursorName ?? (isOldest ? "after" : "before");
  const asked = { ...conditions, order: isOldest ? order : undefined };
  const callFor = (limit: string) => inCell(callOf({ ...asked, limit } as unknown as ListQuery), cell);
  const fileName = cell === undefined ? name : `${name}-cell-${cell}`;
  const everyMs = isFiltered ? filteredMs : liveMs;
  const pages = usePages(callFor("50"), { pageOf, idOf, cursorName, isCounted, everyMs });
  const save = (format: FileFormat) =>
    exportRows({ call: callFor(pageMax), pageOf, cursorName, format, name: fileName });
  const shownEmpty = isFiltered ? { title: lists().nothingFits, text: nothingText(pages) } : empty;
  return (
    <>
      <FilterBar fields={fields} values={values} onChange={setQuery} />
      <div class="list-bar">
        <strong role="status">{countText(pages.count)}</strong>
        {hasOrder && (
          <SelectField
            label={lists().order}
            value={order}
            onChange={(chosen) => setQuery({ order: chosen === "oldest" ? chosen : undefined })}
            options={orders.map((value) => ({ value, label: lists()[value] }))}
          />
        )}
        <Save save={save} />
      </div>
      <PagedList
        caption={caption}
        columns={columns}
        pages={pages}
        empty={shownEmpty}
        moreLabel={!hasOrder ? common().loadMore : isOldest ? lists().loadNewer : common().loadOlder}
      />
    </>
  );
}

const nothingText = <Row,>({ hasMore }: Pages<Row>) => (hasMore ? lists().nothingYet : undefined);

function countText(count: RowCount | undefined): string {
  if (count === undefined) return "";
  const { rows, isExact } = count;
  return lists().rows(`${countOf(rows)}${isExact ? "" : "+"}`, rows === 1 && isExact);
}

/** Field of the cell that the list is of; none where there is home alone. */
function useCellField(): readonly FilterField[] {
  const cells = useCells();
  const chosen = cellShown();
  // The one of a link is there before the others are read.
  if (cells?.length === 0 || (cells === undefined && chosen === undefined)) return [];
  const numbers = (cells ?? []).filter((number) => number !== 0).map(String);
  const known = chosen === undefined || numbers.includes(chosen) ? numbers : [chosen, ...numbers];
  const texts = cellTexts();
  const options = known.map((value) => ({ value, label: value }));
  return [{ name: "cell", label: texts.number, kind: "choice", options, place: texts.home }];
}

/** Fields that many lists have. */
export function usePartnerField(): FilterField {
  const { data } = useControl(call("GET /partners"));
  const partners = data?.partners.map(({ partnerId }) => partnerId) ?? [];
  // The one of a link is there before the others are read.
  const chosen = route.value.query.get("partnerId");
  const known = chosen === null || partners.includes(chosen) ? partners : [chosen, ...partners];
  const options = known.map((value) => ({ value, label: value }));
  return { name: "partnerId", label: common().partner, kind: "choice", options };
}

export function stateField(states: readonly string[], name = "state", label = common().state): FilterField {
  const options = states.map((value) => ({ value, label: word("states", value) }));
  return { name, label, kind: "choice", options };
}

type Service = Pick<OperationView, "code" | "title" | "titleTranslations">;

/** @param servicesOf those of an operation that the list has */
export function useServiceField(servicesOf: (operation: OperationView) => Service | undefined): FilterField {
  const { data } = useControl(isProduction() ? undefined : call("GET /operations"));
  if (isProduction()) return { name: "serviceCode", label: lists().service, kind: "text" };
  const services = new Map(data?.operations.map(servicesOf).flatMap((one) => (one ? [[one.code, titleOf(one)]] : [])));
  const chosen = route.value.query.get("serviceCode");
  if (chosen !== null && !services.has(chosen)) services.set(chosen, "");
  const options = [...services]
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([value, title]) => ({ value, label: `${value} ${title}` }));
  return { name: "serviceCode", label: lists().service, kind: "choice", options };
}

export function dayFields(): readonly FilterField[] {
  return [
    { name: "from", label: lists().fromDay, kind: "day" },
    { name: "to", label: lists().toDay, kind: "day" },
  ];
}

type AmountLabels = Pick<ReturnType<typeof lists>, "minimum" | "maximum">;

export function amountFields({ minimum, maximum }: AmountLabels = lists()): readonly FilterField[] {
  return [
    { name: "minimum", label: minimum, kind: "amount" },
    { name: "maximum", label: maximum, kind: "amount" },
  ];
}
