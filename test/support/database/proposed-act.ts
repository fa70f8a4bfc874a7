/** An act that another operator than a sandbox's own has proposed: it waits, and may be decided on there. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { fromReferenceNo } from "../../../packages/server/src/basics/ids.ts";
import { withClient } from "./with-client.ts";

export const proposer = "https://login.bank.example budi";

interface Proposal {
  readonly kind: "funding" | "return";
  /** Account or reference number. */
  readonly target: string;
  readonly reference?: string;
  readonly before?: object;
  readonly after: object;
  readonly reason: string;
}

/** The return of a settled transfer. */
export const returned = {
  kind: "return",
  before: { state: "settled" },
  after: { resolution: "returned", seen: "settled", isAfterInquiry: false },
} as const;

/** Answers its id. `ownerUrl`: of the database's owner, who alone can write as another operator. */
export async function proposeByAnother(ownerUrl: string | undefined, proposal: Proposal): Promise<string> {
  const { kind, target, reference = "", before = null, after, reason } = proposal;
  const id = randomUUID();
  await withClient(ownerUrl ?? assert.fail("the sandbox's database has an owner here"), async (client) => {
    const { rows } = await client.query<{ id: string; version: number }>(
      "select id, version from transfers where id = $1",
      [kind === "return" ? fromReferenceNo(target) : null],
    );
    const [seen] = rows.map((row) => ({ transfer: row.id, seenVersion: row.version }));
    await client.query("begin");
    await client.query("select lock_act_chain()");
    await client.query(
      `select add_act_step(jsonb_populate_record(null::act_steps, $1::jsonb || jsonb_build_object('expires_at', now() + interval '1 day')))`,
      [
        {
          act_id: id,
          step: "proposed",
          who: proposer,
          kind,
          target,
          reference,
          before,
          after: { ...after, ...seen },
          reason,
        },
      ],
    );
    await client.query(
      "insert into open_acts (act_id, kind, target, reference, state, expires_at) values ($1, $2, $3, $4, 'proposed', now() + interval '1 day')",
      [id, kind, target, reference],
    );
    await client.query("commit");
  });
  return id;
}
