/** Statements of the audit's session, and how they end. */
import type { Client } from "pg";

/** Rows as PostgreSQL sent them. A statement with a name is planned once a session. */
export async function rowsOf(
  client: Client,
  statement: string | { readonly name: string; readonly text: string },
  values: readonly unknown[] = [],
): Promise<(string | null)[][]> {
  const query = typeof statement === "string" ? { text: statement } : statement;
  const { rows } = await client.query<(string | null)[]>({ ...query, values: [...values], rowMode: "array" });
  return rows;
}

const hasCode = (error: unknown, isIt: (code: string) => boolean) =>
  error instanceof Error && "code" in error && isIt(String(error.code));

/** Whether a statement was ended because its 2 s were over: a smaller slice may succeed. */
export const isOverdue = (error: unknown): boolean => hasCode(error, (code) => code === "57014");

/** Class 22: the data does not fit what the statement does with it. */
export const isDataFault = (error: unknown): boolean => hasCode(error, (code) => code.startsWith("22"));
