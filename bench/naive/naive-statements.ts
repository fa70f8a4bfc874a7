/**
 * The statements of the naive path: the same rows in the same tables as the engine writes, one transfer at a time.
 * All are named, so that PostgreSQL parses and plans each once a connection.
 */
import { accountColumns } from "../../packages/server/src/store/accounts.ts";
import { refusalColumns } from "../../packages/server/src/store/refusals.ts";
import { writeColumns } from "../../packages/server/src/store/writes.ts";

export const naiveStatements = {
  begin: { name: "begin", text: "begin isolation level read committed" },
  commit: { name: "commit", text: "commit" },
  rollback: { name: "rollback", text: "rollback" },
  // Sorted by id, as everybody locks: two transfers between the same accounts never wait for each other in a circle.
  lockAccounts: {
    name: "lock-accounts",
    text: `select ${accountColumns} from accounts where account_no in ($1, $2) order by id for no key update`,
  },
  findWrites: {
    name: "find-writes",
    text: `select 'external', ${writeColumns} from writes where external_key = $1
      union all select 'number', ${writeColumns} from writes where number_key = $2`,
  },
  findRefusal: {
    name: "find-refusal",
    text: `(select 'signature', ${refusalColumns} from refusals where signature_key = $1 limit 1)
      union all (select 'last', ${refusalColumns} from refusals where external_key = $2 order by sent_at desc limit 1)`,
  },
  insertWrite: {
    name: "insert-write",
    text: `insert into writes (id, partner, service, external_key, number_key, body_hash, content_hash, external_id,
        facts, free_form, layout, at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11)`,
  },
  insertEntries: {
    name: "insert-entries",
    text: `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, at)
      values ($1, $2, $3, $4, $5, $6, $7, $15), ($8, $9, $10, $11, $12, $13, $14, $15)`,
  },
  updateAccounts: {
    name: "update-accounts",
    text: `update accounts a set version = c.version, balance = c.balance, held = c.held,
        use_day = c.use_day, use_total = c.use_total, use_count = c.use_count
      from (values
        ($1::uuid, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::int, $7::bigint, $8::int),
        ($9::uuid, $10::bigint, $11::bigint, $12::bigint, $13::bigint, $14::int, $15::bigint, $16::int)
      ) c (id, old_version, version, balance, held, use_day, use_total, use_count)
      where a.id = c.id and a.version = c.old_version returning 1`,
  },
} as const;
