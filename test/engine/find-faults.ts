/** Invariants of the ledger, checked in the database: an audit that shares nothing with the service's. */
import type { Client } from "pg";

const rules: Readonly<Record<string, string>> = {
  "money of a currency does not sum to zero":
    "select currency || ' ' || sum(balance) as what from accounts group by currency having sum(balance) <> 0",
  "an account is below its minimum balance":
    "select account_no as what from accounts where balance - held < minimum_balance",
  "a chain of entries has a gap or a wrong balance": `
    select account_id || ' at ' || version as what from (
      select *, lag(version, 1, 0::bigint) over chain as version_before,
        lag(balance_after, 1, 0::bigint) over chain as balance_before
      from entries window chain as (partition by account_id order by version)
    ) e where version <> version_before + 1 or balance_after <> balance_before + amount`,
  "an account differs from its last entry": `
    select a.account_no as what from accounts a left join lateral (
      select version, balance_after from entries where account_id = a.id order by version desc limit 1
    ) e on true
    where a.version <> coalesce(e.version, 0) or a.balance <> coalesce(e.balance_after, 0)`,
  "a journal is not one debit and one credit": `
    select journal_id::text as what from entries group by journal_id having sum(amount) <> 0 or count(*) <> 2`,
  "an entry has another currency than its account": `
    select e.account_id::text as what from entries e join accounts a on a.id = e.account_id where a.currency <> e.currency`,
  "an accepted request has no journal": `
    select w.id::text as what from accepted_requests w where not exists (select from entries e where e.journal_id = w.id)`,
  "a journal of a transfer has no accepted request": `
    select e.journal_id::text as what from entries e where e.kind = 2 and not exists (select from accepted_requests w where w.id = e.journal_id)`,
  "a journal differs from its accepted request": `
    select w.id::text as what from accepted_requests w
      join entries debit on debit.journal_id = w.id and debit.amount < 0
      join entries credit on credit.journal_id = w.id and credit.amount > 0
      join accounts source on source.id = debit.account_id
      join accounts beneficiary on beneficiary.id = credit.account_id
    where (source.account_no, beneficiary.account_no, credit.amount::text)
      is distinct from (w.payload::json ->> 'from', w.payload::json ->> 'to', w.payload::json ->> 'amount')`,
  "a request is accepted and rejected": `
    select id::text as what from accepted_requests intersect select id::text from rejected_requests`,
};

/** Every broken rule with its first few cases; empty when all is well. */
export async function findFaults(client: Client): Promise<readonly string[]> {
  const faults: string[] = [];
  // Tables without statistics are joined row by row, which takes minutes where a torture has filled them.
  await client.query("begin; set local enable_nestloop = off");
  for (const [rule, query] of Object.entries(rules)) {
    const { rows } = await client.query<{ what: string }>(`${query} limit 3`);
    if (rows.length > 0) faults.push(`${rule}: ${rows.map((row) => row.what).join(", ")}`);
  }
  await client.query("commit");
  return faults;
}
