/**
 * The statements of the naive path: the same rows in the same tables as the engine writes, one transfer at a time.
 * All are named, so that PostgreSQL parses and plans each once a connection.
 */
import { accountColumns } from "../../packages/server/src/store/tables/accounts.ts";
import { rejectedRequestColumns } from "../../packages/server/src/store/tables/requests/rejected-requests.ts";
import { acceptedRequestColumns } from "../../packages/server/src/store/tables/requests/accepted-requests.ts";

export const naiveStatements = {
  begin: { name: "begin", text: "begin isolation level read committed" },
  commit: { name: "commit", text: "commit" },
  rollback: { name: "rollback", text: "rollback" },
  // Sorted by id, as everybody locks: two transfers between the same accounts never wait for each other in a circle.
  lockAccounts: {
    name: "lock-accounts",
    text: `select ${accountColumns.sql} from accounts where account_no in ($1, $2) order by id for no key update`,
  },
  findWrites: {
    name: "find-accepted-requests",
    text: `select case k.key when $1 then 'external' else 'number' end, ${acceptedRequestColumns.of("r")}
      from request_keys k join accepted_requests r on r.id = k.request_id where k.key in ($1, $2)`,
  },
  findRejection: {
    name: "find-rejected-request",
    text: `(select 'signature', ${rejectedRequestColumns.sql} from rejected_requests where signature_key = $1 limit 1)
      union all (select 'next', ${rejectedRequestColumns.sql} from rejected_requests where external_id_key = $2
        and sent_at >= to_timestamp($3::bigint / 1000.0) order by sent_at limit 1)
      union all (select 'intent', ${rejectedRequestColumns.sql} from rejected_requests where partner_reference_key = $4
        and request_fingerprint = $5 and sent_at >= to_timestamp($3::bigint / 1000.0) order by sent_at limit 1)`,
  },
  insertWrite: {
    name: "insert-accepted-request",
    text: `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
        request_fingerprint, external_id, payload, additional_info, accepted_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  },
  insertKeys: {
    name: "insert-request-keys",
    text: "insert into request_keys (key, request_id) values ($1, $3), ($2, $3)",
  },
  insertEntries: {
    name: "insert-entries",
    text: `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $15), ($8, $9, $10, $11, $12, $13, $14, $15)`,
  },
  updateAccounts: {
    name: "update-accounts",
    text: `update accounts a set version = c.version, balance = c.balance, held = c.held,
        daily_debit_date = c.daily_debit_date, daily_debit_total = c.daily_debit_total,
        daily_debit_count = c.daily_debit_count
      from (values
        ($1::uuid, $2::bigint, $3::bigint, $4::bigint, $5::bigint, $6::int, $7::bigint, $8::int),
        ($9::uuid, $10::bigint, $11::bigint, $12::bigint, $13::bigint, $14::int, $15::bigint, $16::int)
      ) c (id, old_version, version, balance, held, daily_debit_date, daily_debit_total, daily_debit_count)
      where a.id = c.id and a.version = c.old_version returning 1`,
  },
} as const;
