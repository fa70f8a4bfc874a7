-- Accounts, entries, accepted writes and recorded refusals: what the engine writes.
-- Amounts are minor units (bigint); hashes and ids are 16 bytes (uuid); times are the service's business time.

-- Checks run at every update of a balance, so the account's row keeps only cheap ones: no regular expressions.
create table accounts (
  id uuid primary key,
  account_no text not null unique,
  name text not null,
  currency text not null,
  purpose text not null,
  type text not null,
  status text not null,
  partners uuid[] not null default '{}',
  balance bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  version bigint not null default 0,
  floor bigint,
  limit_each bigint,
  limit_daily bigint,
  limit_daily_count int,
  use_day int not null default 0,
  use_total bigint not null default 0,
  use_count int not null default 0,
  opened_at timestamptz not null,
  constraint accounts_available check (floor is null or balance - held >= floor)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);

create index accounts_partners on accounts using gin (partners);

-- One debit or credit line: amount is credit minus debit, balance_after chains with the version before.
-- No foreign key: the same transaction updates the account's row and counts that it did; the audit repeats it.
create table entries (
  account_id uuid not null,
  version bigint not null check (version > 0),
  journal_id uuid not null,
  kind smallint not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  at timestamptz not null,
  primary key (account_id, version)
);

-- Journal ids are UUIDv7, so a block range index finds a journal, or a slice of time, at almost no cost to a write.
create index entries_journal on entries using brin (journal_id) with (pages_per_range = 16, autosummarize = on);

-- One row for each accepted write of any service; its id is the command's and the journal's.
create table writes (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  external_key uuid unique,
  number_key uuid not null unique,
  body_hash uuid not null,
  content_hash uuid not null,
  external_id text not null,
  layout smallint not null,
  facts text not null,
  free_form text,
  at timestamptz not null
);

-- Refusals of step 14, so that a copy of a refused call gets its refusal again and a query can show the attempt.
create table refusals (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  external_key uuid not null,
  number_key uuid not null,
  signature_key uuid not null,
  kind text not null,
  field text,
  layout smallint not null,
  facts text not null,
  at timestamptz not null
);

create index refusals_external on refusals (external_key);
create index refusals_number on refusals (number_key);
create index refusals_signature on refusals (signature_key);
create index refusals_at on refusals using brin (at);
