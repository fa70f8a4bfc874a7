/** Two nodes on a bank whose operators are in charge of its reference data: one proposes, another one approves. */
import assert from "node:assert/strict";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { startNode, type TestNode } from "./administration.ts";
import { useDatabase } from "./database/database.ts";
import { approve, approver, ask, dropOperators, other, useBank } from "./database/operators.ts";
import { roleUrlsOf } from "./database/template.ts";
import { type Waiting, waiting } from "./expect.ts";

export interface ReferenceActs {
  readonly bank: Awaited<ReturnType<typeof useBank>>;
  /** URL of the service's role. */
  readonly url: string;
  readonly node: TestNode;
  readonly second: TestNode;
  /** As the operator who proposes. */
  readonly deps: TestNode;
  readonly applied: (id: string) => Promise<readonly unknown[]>;
  /** The words of an act that ended since something else was found. */
  readonly found: (id: string) => Promise<readonly unknown[]>;
  /** Has what waits approved and carried out. */
  readonly carryOut: (result: Waiting) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function useReferenceActs(): Promise<ReferenceActs> {
  const database = await useDatabase();
  const bank = await useBank(database.ownerUrl);
  await bank.hire("operator");
  const { url } = roleUrlsOf(bank.url);
  const [node, second] = [await startNode(url), await startNode(url)];
  const budi = createAdminPool(bank.urlOf(other), 2);
  const applied = (id: string) => ask(url, `select apply_act('${id}')`);
  return {
    bank,
    url,
    node,
    second,
    deps: { ...node, database: budi },
    applied,
    found: (id: string) =>
      ask(bank.ownerUrl, `select result ->> 'found' from act_steps where act_id = '${id}' and step = 'carried out'`),
    carryOut: async (result) => {
      const id = waiting(result);
      assert.deepEqual(await ask(bank.urlOf(approver), approve(id)), ["approved"]);
      assert.deepEqual(await applied(id), ["done"]);
      await node.refresh();
    },
    close: async () => {
      await budi.end();
      await node.close();
      await second.close();
      await bank[Symbol.asyncDispose]();
      await dropOperators(database.ownerUrl);
      await database.drop();
    },
  };
}
