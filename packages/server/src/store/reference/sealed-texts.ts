/** Texts that are sealed for the master key, as the owner of the database seals them anew. */
import type { Client } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

export interface SealedSecret {
  /** Id of the credential. */
  readonly id: string;
  /** Internal id of its partner, and its `X-PARTNER-ID`. */
  readonly partner: string;
  readonly partnerId: string;
  readonly sealed: string;
}

/** Client secrets behind an id, in the order of their ids. */
export async function listSealedSecrets(
  client: Client,
  after: string,
  limit: number,
): Promise<readonly SealedSecret[]> {
  const rows = await queryRows(client, {
    text: `select c.id, c.partner, p.partner_id, c.value from partner_credentials c join partners p on p.id = c.partner
      where c.kind = 'secret' and c.id > $1::uuid order by c.id limit $2::int`,
    values: [after, limit],
  });
  return rows.map(([id, partner, partnerId, sealed]) => ({ id, partner, partnerId, sealed }) as SealedSecret);
}

export interface Resealed {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Number of those that were as they had been read; one that an act has ended meanwhile is gone. */
export async function replaceSealedSecrets(client: Client, changes: readonly Resealed[]): Promise<number> {
  const rows = await queryRows(client, {
    text: `update partner_credentials c set value = given.new_value
      from unnest($1::uuid[], $2::text[], $3::text[]) given (id, old_value, new_value)
      where c.id = given.id and c.value = given.old_value returning c.id`,
    values: [changes.map(({ id }) => id), changes.map(({ from }) => from), changes.map(({ to }) => to)],
  });
  return rows.length;
}

export interface SealedCount {
  readonly what: "client secrets" | "search keys" | "acts that wait";
  /** Id of the master key that the texts name. */
  readonly keyId: string;
  readonly count: number;
}

/** All that is sealed, by the master key that it names. What an act would write is sealed in it, and acts are never changed. */
export async function countSealed(client: Client): Promise<readonly SealedCount[]> {
  const rows = await queryRows(client, {
    text: `select what, split_part(sealed, '.', 2) as key_id, count(*) from (
        select 'client secrets', value from partner_credentials where kind = 'secret'
        union all select 'search keys', key from search_keys where key is not null
        union all select 'acts that wait', one ->> 'value' from open_acts o
          join act_steps s on s.act_id = o.act_id and s.step = 'proposed',
          jsonb_array_elements(coalesce(s.after -> 'credentials', '[]')) one where one ->> 'kind' = 'secret') texts (what, sealed)
      group by what, key_id order by what, key_id`,
  });
  return rows.map(([what, keyId, count]) => ({ what, keyId, count: Number(count) }) as SealedCount);
}
