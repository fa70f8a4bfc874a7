-- The ledger: accounts and entries.
-- Units of every file: amounts are bigint in minor units of the row's currency; hashes and ids are 16 bytes (uuid), ids
-- UUIDv7, so in the order of time; times are the service's business time; a business day is the number of days since
-- 1970-01-01 in Jakarta; `partner` is the internal id of a partner.

-- Accounts: balances, funds on hold, limits, and what counts against the daily ones.
-- Checks run at every update of a balance, so the account's row keeps only cheap ones: no regular expressions.
create table accounts (
  id uuid primary key,
  account_no text not null unique,
  name text not null,
  currency text not null,
  purpose text not null,
  type text not null,
  status text not null,
  authorized_partner_ids uuid[] not null default '{}',
  balance bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  -- Number of its entries.
  version bigint not null default 0,
  minimum_balance bigint,
  limit_per_transfer bigint,
  limit_daily bigint,
  limit_daily_count int,
  daily_debit_date int not null default 0,
  daily_debit_total bigint not null default 0,
  daily_debit_count int not null default 0,
  opened_at timestamptz not null,
  constraint accounts_available check (minimum_balance is null or balance - held >= minimum_balance)
) with (
  fillfactor = 50,
  -- After a long snapshot the file shrinks by a vacuum that comes soon, and takes what is left behind on its last pages from
  -- the indexes, however few pages it is (0009-compaction.sql).
  autovacuum_vacuum_scale_factor = 0.005,
  autovacuum_vacuum_threshold = 100,
  autovacuum_vacuum_cost_delay = 0,
  vacuum_index_cleanup = on,
  autovacuum_analyze_scale_factor = 0.05
);

create index accounts_authorized_partners on accounts using gin (authorized_partner_ids);

-- Entries: one debit or credit each. Never changed or deleted. In partitions (0006-partitions.sql), of which each has the
-- primary key (account_id, version): that no version stands in two of them follows from the account's row, whose version
-- each commit raises and counts. The audit repeats it. No foreign key, for the same reason.
create table entries (
  account_id uuid not null,
  -- From 1 without a gap; balance_after is the balance_after of the version before, plus amount.
  version bigint not null check (version > 0),
  -- Id of the command that moved the money.
  journal_id uuid not null,
  -- Why money moved: a number of `postingKinds`.
  kind smallint not null,
  currency text not null,
  -- Credit minus debit.
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  created_at timestamptz not null
) partition by range (journal_id);

-- Journal ids are UUIDv7, so a block range index finds a journal, or a slice of time, at almost no cost to a write.
create index entries_journal on entries using brin (journal_id) with (pages_per_range = 16, autosummarize = on);

-- Every journal balances in every currency: one check for each statement. Entries carry their account's currency for it:
-- looking it up in accounts took a tenth of a commit.
create function reject_unbalanced_journal() returns trigger language plpgsql as $$
begin
  if exists (
    select from added group by journal_id, currency having sum(amount) <> 0
  ) then
    raise exception 'a journal does not balance' using errcode = 'check_violation', constraint = 'entries_balanced';
  end if;
  return null;
end $$;

create trigger entries_balanced after insert on entries
  referencing new table as added for each statement execute function reject_unbalanced_journal();

create function reject_entry_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries are never changed or deleted' using errcode = 'restrict_violation';
end $$;

create trigger entries_immutable before update or delete or truncate on entries
  for each statement execute function reject_entry_change();
