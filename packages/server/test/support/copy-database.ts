/** A copy of a test's own database as it is now: for tests that spoil it in many ways. */
import { Client } from "pg";
import { newId } from "../../src/ids.ts";

export interface DatabaseCopy extends AsyncDisposable {
  readonly url: string;
}

/** Nobody may be connected to the original meanwhile. */
export async function copyDatabase(url: string): Promise<DatabaseCopy> {
  const name = `copy_${newId().replaceAll("-", "")}`;
  await administer(url, `create database ${name} template ${new URL(url).pathname.slice(1)}`);
  const copy = new URL(url);
  copy.pathname = `/${name}`;
  return { url: copy.href, [Symbol.asyncDispose]: () => administer(url, `drop database ${name} with (force)`) };
}

async function administer(url: string, statement: string): Promise<void> {
  const administration = new URL(url);
  administration.pathname = "/postgres";
  const client = new Client({ connectionString: administration.href, application_name: "titian tests" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
