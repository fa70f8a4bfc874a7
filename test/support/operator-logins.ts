/** Steps of tests in which operators log in and decide on acts. */
import assert from "node:assert/strict";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { openCookieJar } from "./cookie-jar.ts";
import { ask, other, propose } from "./database/operators.ts";
import { queryRows } from "./database/with-client.ts";

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & {
    readonly error?: { readonly code: string; readonly message: string };
  };
}

export const answer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: (await response.json()) as Answer["body"],
});

/** As the person at the identity provider does, who confirms the code that it shows. */
export async function enterCode(address: string): Promise<void> {
  const jar = openCookieJar();
  const confirmation = await jar.submit(await jar.visit(address));
  assert.match((await jar.submit(confirmation)).text, /Sign-in Success/);
}

interface Bank {
  readonly ownerUrl: string;
  urlOf(role: string): string;
}

/** Budi, who has a PostgreSQL role of his own, has proposed it. */
export async function proposed({ ownerUrl, urlOf }: Bank): Promise<{ readonly id: string; readonly hash: string }> {
  const id = newId();
  await queryRows(urlOf(other), propose(id, id.slice(-12)));
  const [hash = ""] = await ask(ownerUrl, `select encode(hash, 'hex') from act_steps where act_id = '${id}'`);
  return { id, hash };
}
