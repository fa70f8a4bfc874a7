/** Lists: a table with its loading, empty and error states; on a phone each row is a card. */
import type { ComponentChildren } from "preact";
import type { ControlError } from "../api/control.ts";
import type { Pages } from "../api/pages.ts";
import { common } from "../texts/common.ts";
import { Empty, Failure, Notice, Skeleton } from "./states.tsx";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Amounts and counts. */
  readonly isNumber?: boolean;
  readonly isNarrow?: boolean;
}

interface TableProps<Row> {
  /** Name for a screen reader. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, position: number) => string | number;
  /** On a phone: a card for each row, a line of a feed, or still a table, of few narrow columns. */
  readonly layout?: "cards" | "feed" | "table";
}

export function Table<Row>({ caption, columns, rows, keyOf, layout = "cards" }: TableProps<Row>) {
  return (
    // A region that scrolls can be scrolled with the keyboard.
    <div class="table-region" role="group" aria-label={caption} tabIndex={0}>
      <table class={`table ${layout}`}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" class={isNumber ? "end" : ""}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, position) => (
            <tr key={keyOf(row, position)}>
              {columns.map(({ head, cell, isNumber, isNarrow }) => (
                <td key={head} data-label={head} class={`${isNumber ? "end" : ""} ${isNarrow ? "narrow" : ""}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  readonly rows: readonly Row[] | undefined;
  readonly error: ControlError | undefined;
  readonly onRetry?: () => void;
  readonly empty: { readonly title: string; readonly text?: ComponentChildren };
}

/** A table of rows that may not be there yet. */
export function List<Row>({ rows, error, onRetry, empty, ...table }: ListProps<Row>) {
  if (rows === undefined) {
    if (error) return <Failure error={error} {...(onRetry && { onRetry })} />;
    return (
      <div class="panel-body first">
        <Skeleton lines={5} />
      </div>
    );
  }
  if (rows.length === 0) return <Empty title={empty.title}>{empty.text}</Empty>;
  return <Table {...table} rows={rows} />;
}

interface PagedListProps<Row> extends Omit<ListProps<Row>, "rows" | "keyOf" | "error" | "onRetry"> {
  readonly pages: Pages<Row>;
  readonly moreLabel?: string;
}

export function PagedList<Row>({ pages, moreLabel, ...list }: PagedListProps<Row>) {
  return (
    <>
      <List {...list} rows={pages.rows} keyOf={pages.idOf} error={pages.error} />
      {pages.gaps.map((gap) => (
        <Notice key={gap} tone="warn">
          {gap}
        </Notice>
      ))}
      {pages.hasMore && (
        <div class="more">
          <button type="button" class="button" onClick={pages.loadMore} aria-disabled={pages.isLoadingMore}>
            {pages.isLoadingMore ? common().loadingMore : (moreLabel ?? common().loadOlder)}
          </button>
        </div>
      )}
    </>
  );
}
