/** A copy of a test's own database as it is now: for tests that spoil it in many ways. */
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { withDatabase } from "./template.ts";
import { runStatements } from "./with-client.ts";

export interface DatabaseCopy extends AsyncDisposable {
  readonly url: string;
}

/** Nobody may be connected to the original meanwhile. */
export async function copyDatabase(url: string): Promise<DatabaseCopy> {
  const name = `copy_${newId().replaceAll("-", "")}`;
  await administer(url, `create database ${name} template ${new URL(url).pathname.slice(1)}`);
  return {
    url: withDatabase(url, name),
    [Symbol.asyncDispose]: () => administer(url, `drop database ${name} with (force)`),
  };
}

function administer(url: string, statement: string): Promise<void> {
  return runStatements(withDatabase(url, "postgres"), [statement]);
}
