/** A ledger of any size with one hot account, written by SQL at once and in order as far as the audit can tell. */
import { runStatements } from "./with-client.ts";

export interface Fill {
  /** Transfers that are there already. */
  readonly after: number;
  /** Number of transfers to add: each has two entries, one of them on the hot account. */
  readonly transfers: number;
  /** The accounts beside the hot one; they pay it in turn, then it pays them in turn, and so on. */
  readonly accounts: number;
  /** When the first was accepted (epoch ms); each later one a millisecond after the one before. */
  readonly startMs: number;
}

const amount = 100;
const partner = "00000000-0000-7000-8000-000000000001";
/** The formula of `engine/batch/idempotency-keys.ts`. */
const keyOf = (bit: 0 | 1, number: string, ...parts: readonly string[]) => {
  const hashOf = (end: string, bytes: number) =>
    `substr(sha256(convert_to(concat_ws(E'\\x1f', '${partner}', ${[...parts, end].join(", ")}), 'UTF8')), 1, ${bytes})`;
  return `encode(set_bit(${hashOf(`left(${number}, -3)`, 4)} || ${hashOf(number, 12)}, 7, ${bit}), 'hex')::uuid`;
};
const externalIdKey = keyOf(0, "('X' || n)", "'x'");
const numberKey = keyOf(1, "('N' || n)", "'n'", "'17'");
const accountId = (n: string) => `('00000000-0000-7000-9000-' || lpad((${n})::text, 12, '0'))::uuid`;
const accountNo = (n: string) => `lpad((${n})::text, 10, '0')`;
/** Number of the hot account: the others are 1 and up. */
const hot = "0";

/** The transfers of a fill: n from 0, round by round; `other` is the account beside the hot one. */
const transfersOf = ({ after, transfers, accounts, startMs }: Fill) => `
  select n, n % ${accounts} + 1 as other, n / ${accounts} as round,
    case n / ${accounts} % 2 when 0 then 1 else -1 end as sign,
    (lpad(to_hex(${startMs}::bigint + n - ${after}), 12, '0') || '70008000000000000000')::uuid as id,
    to_timestamp((${startMs}::bigint + n - ${after}) / 1000.0) as at
  from generate_series(${after}::bigint, ${after + transfers - 1}) n`;

const request = `json_build_object('partnerReferenceNo', 'N' || n,
  'amount', json_build_object('value', '${amount / 100}.00', 'currency', 'IDR'),
  'sourceAccountNo', case sign when 1 then ${accountNo("other")} else ${accountNo(hot)} end,
  'beneficiaryAccountNo', case sign when 1 then ${accountNo(hot)} else ${accountNo("other")} end)`;

/** As the owner: what guards each statement would judge all of it at once. */
export async function fillLedger(url: string, fill: Fill): Promise<void> {
  const { accounts } = fill;
  const statements = [
    "set session_replication_role = replica; set timezone = 'Asia/Jakarta'",
    `insert into accounts (id, account_no, name, currency, purpose, type, status, opened_at)
      select ${accountId("n")}, ${accountNo("n")}, 'Account', 'IDR', 'customer', 'S', 'active', now()
      from generate_series(0, ${accounts}) n on conflict do nothing`,
    `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
        request_fingerprint, external_id, payload, accepted_at)
      select id, '${partner}', 17, ${externalIdKey}, ${numberKey}, id, id, 'X' || n,
        json_build_object('request', ${request}), at from (${transfersOf(fill)}) t`,
    ...[externalIdKey, numberKey].map(
      (key) => `insert into request_keys (key, request_id) select ${key}, id from (${transfersOf(fill)}) t`,
    ),
    `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
      select e.account_id, e.version, id, 2, 'IDR', e.amount, e.balance, at from (${transfersOf(fill)}) t,
        lateral (values
          (${accountId("other")}, round + 1, -sign * ${amount}, (round % 2 - 1) * ${amount}),
          (${accountId(hot)}, n + 1, sign * ${amount},
            case sign when 1 then other else ${accounts} - other end * ${amount})) e (account_id, version, amount, balance)`,
    `update accounts a set version = last.version, balance = last.balance_after from (
        select a.id, e.version, e.balance_after from accounts a cross join lateral (
          select * from entries where account_id = a.id order by version desc limit 1) e) last where a.id = last.id`,
    `update accounts a set daily_debit_date = u.day, daily_debit_total = u.total, daily_debit_count = u.count from (
        select account_id, max(created_at::date) - date '1970-01-01' as day, -sum(amount) as total, count(*) as count from entries
        where amount < 0 and created_at::date = (select accepted_at::date from accepted_requests order by id desc limit 1)
        group by account_id) u where a.id = u.account_id`,
  ];
  await runStatements(url, statements);
}
