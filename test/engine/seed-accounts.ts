/** Accounts with opening balances: every balance is backed by entries, and all sum to zero. */
import type { Client } from "pg";
import { accountId, partner } from "./transfers.ts";

export interface SeedAccount {
  readonly accountNo: string;
  readonly balance: bigint;
  readonly partners?: readonly string[];
  readonly currency?: string;
}

/** With the currency before it, the number of the funding account. Other numbers are digits, from which ids are made. */
const fundingNo = "999999999999";

/** Accounts `1` to `count` of the same balance. */
export function accounts(count: number, balance: bigint): readonly SeedAccount[] {
  return Array.from({ length: count }, (_, index) => ({ accountNo: String(index + 1), balance }));
}

/** Adds accounts, once in a database. */
export async function seedAccounts(client: Client, seeds: readonly SeedAccount[]): Promise<void> {
  await client.query(
    `insert into accounts (id, account_no, name, currency, purpose, type, status, authorized_partner_ids, balance, version,
       minimum_balance, opened_at)
     select a.id, a.no, 'holder', a.currency, 'customer', 'S', 'active', string_to_array(a.partners, ' ')::uuid[],
       a.balance, 1, 0, '2026-01-01'
     from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::text[]) a (id, no, balance, partners, currency)`,
    [
      seeds.map((seed) => accountId(seed.accountNo)),
      seeds.map((seed) => seed.accountNo),
      seeds.map((seed) => seed.balance),
      seeds.map((seed) => (seed.partners ?? [partner]).join(" ")),
      seeds.map((seed) => seed.currency ?? "IDR"),
    ],
  );
  await client.query(
    `insert into accounts (id, account_no, name, currency, purpose, type, status, balance, version, opened_at)
     select ('f0000000-0000-7000-8000-' || lpad(to_hex(row_number() over (order by currency)), 12, '0'))::uuid,
       currency || $1, 'funding', currency, 'funding', 'D', 'active', -sum(balance), count(*), '2026-01-01'
     from accounts group by currency`,
    [fundingNo],
  );
  await client.query(
    `with paid as (
       select a.id, a.balance, a.currency, f.id as funding, row_number() over one as version, sum(a.balance) over one as total,
         ('e0000000-' || substr(a.id::text, 10))::uuid as journal
       from accounts a join accounts f on f.purpose = 'funding' and f.currency = a.currency
       where a.purpose = 'customer' window one as (partition by a.currency order by a.id)
     )
     insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
     select id, 1, journal, 1, currency, balance, balance, timestamptz '2026-01-01' from paid
     union all
     select funding, version, journal, 1, currency, -balance, -total, timestamptz '2026-01-01' from paid`,
  );
}
