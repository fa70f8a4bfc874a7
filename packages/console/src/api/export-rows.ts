/** Rows of a list as a file: all that its filter shows, up to a bound. */
import { writeRow } from "@titian/contract/csv-cells";
import { now } from "../clock.ts";
import type { Call } from "./call.ts";
import { control } from "./control.ts";
import { type RowsPage, withMember } from "./pages.ts";

const exportedMax = 10_000;
/** Pages may have few rows, where few of many fit. */
const pagesMax = 100;

export type FileFormat = "csv" | "json";

export interface Exported {
  readonly rows: number;
  /** True: there may be more than the file has. */
  readonly isCut: boolean;
}

interface ExportInput<Answer, Row> {
  /** Its pages are as long as they may be. */
  readonly call: Call<Answer>;
  readonly pageOf: (answer: Answer) => RowsPage<Row>;
  readonly cursorName: string;
  /** The list in the file's name, such as `transfers`. */
  readonly name: string;
  readonly format: FileFormat;
}

/** Reads the rows and hands them to the browser as a download. @throws ControlError */
export async function exportRows<Answer, Row extends object>(input: ExportInput<Answer, Row>): Promise<Exported> {
  const { call, pageOf, cursorName, name, format } = input;
  const rows: Row[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < pagesMax && rows.length < exportedMax; pages += 1) {
    const page = pageOf(await control(next === null ? call : withMember(call, cursorName, next)));
    rows.push(...page.rows);
    next = page.next;
    if (next === null) break;
  }
  const kept = rows.slice(0, exportedMax);
  const text = format === "csv" ? csvOf(kept) : `${JSON.stringify(kept, undefined, 2)}\n`;
  const day = new Date(now()).toISOString().slice(0, 10);
  download(`titian-${name}-${day}.${format}`, text, format === "csv" ? "text/csv" : "application/json");
  return { rows: kept.length, isCut: next !== null || rows.length > kept.length };
}

/** Members as the service names them, in the order in which they first come; what is no single value is left out. */
function csvOf(rows: readonly object[]): string {
  const isSingle = (value: unknown) => typeof value !== "object" && value !== undefined;
  const names = new Set(
    rows.flatMap((row) => Object.entries(row).flatMap(([name, one]) => (isSingle(one) ? [name] : []))),
  );
  const columns = [...names];
  const lines = rows.map((row) => {
    const values = new Map(Object.entries(row));
    return columns.map((name) => {
      const value: unknown = values.get(name);
      return isSingle(value) ? String(value) : undefined;
    });
  });
  return [columns, ...lines].map((cells) => writeRow(cells, ",")).join("");
}

function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
