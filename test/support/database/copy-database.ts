/** A copy of a test's own database as it is now: for tests that spoil it in many ways. */
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { lookFirst, withDatabase } from "./template.ts";
import { runStatements } from "./with-client.ts";

export interface DatabaseCopy extends AsyncDisposable {
  readonly url: string;
}

/** Nobody may be connected to the original meanwhile. */
export async function copyDatabase(url: string): Promise<DatabaseCopy> {
  const name = `copy_${newId().replaceAll("-", "")}`;
  const administer = (statements: readonly string[]) => runStatements(withDatabase(url, "postgres"), statements);
  await administer([`create database ${name} template ${new URL(url).pathname.slice(1)}`, ...lookFirst(name)]);
  return {
    url: withDatabase(url, name),
    [Symbol.asyncDispose]: () => administer([`drop database ${name} with (force)`]),
  };
}
