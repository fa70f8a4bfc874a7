-- The ledger: accounts, entries, requests, holds, transfers, outbox.
-- Units: amounts are bigint in minor units of the row's currency; hashes and ids are 16 bytes (uuid), ids UUIDv7, so in the
-- order of time; times are the service's business time; a business day is the number of days since 1970-01-01 in Jakarta;
-- `partner` is the internal id of a partner.

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
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);

create index accounts_authorized_partners on accounts using gin (authorized_partner_ids);

-- Entries: one debit or credit each. Never changed or deleted.
-- No foreign key: the same transaction updates the account's row and counts that it did; the audit repeats it.
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
  created_at timestamptz not null,
  primary key (account_id, version)
);

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

-- Accepted requests: one row for each, of any service; its id is the command's and the journal's (spec D7).
create table accepted_requests (
  id uuid primary key,
  partner uuid not null,
  -- Service code.
  service smallint not null,
  -- Hash of partner and external id; null once a newer request has taken the id after its window.
  external_id_key uuid unique,
  -- Hash of partner, service and the partner's own number of it; of a capture, void or refund also of its hold's reference.
  partner_reference_key uuid not null unique,
  -- First 16 bytes of the SHA-256 of the minified body; a copy of a request has the same.
  body_hash uuid not null,
  -- Hash of what was requested, without what a repeat may vary.
  request_fingerprint uuid not null,
  external_id text not null,
  -- JSON text: the request, and what its response is rebuilt from.
  payload text not null,
  -- `additionalInfo` and the like as received, packed.
  additional_info text,
  accepted_at timestamptz not null
);

-- An external id is given up or kept, never made another; a partner's number is never given up.
create function reject_key_change() returns trigger language plpgsql as $$
begin
  raise exception 'a key of an accepted request is never changed' using errcode = 'restrict_violation';
end $$;

create trigger accepted_requests_keys_kept before update on accepted_requests
  for each row when (new.partner_reference_key <> old.partner_reference_key
    or coalesce(new.external_id_key <> old.external_id_key,
      new.external_id_key is not null and old.external_id_key is null))
  execute function reject_key_change();

-- Rejected requests (step 14 of the checks): a copy gets its rejection again, and a query shows the attempt. Pruned.
create table rejected_requests (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  external_id_key uuid not null,
  partner_reference_key uuid not null,
  signature_key uuid not null,
  -- Why: a `RejectionKind`; field: which one of the request, where it is one.
  kind text not null,
  field text,
  payload text not null,
  rejected_at timestamptz not null,
  -- X-TIMESTAMP of the request: requests of one external id are ordered by it.
  sent_at timestamptz not null
);

create index rejected_requests_external_id on rejected_requests (external_id_key, sent_at);
create index rejected_requests_partner_reference on rejected_requests (partner_reference_key);
create index rejected_requests_signature on rejected_requests (signature_key);
-- Pruning asks for the oldest. A block range index finds them only until the room of pruned rows is used again.
create index rejected_requests_rejected_at on rejected_requests (rejected_at);

-- Holds: authorized payments, each with the sums of its events. A hold's row lock covers its events.
create table holds (
  id uuid primary key,
  partner uuid not null,
  -- Of the request that placed it: refunds name a hold by its partner's number.
  partner_reference_key uuid not null,
  partner_reference_no text not null,
  merchant_id text not null,
  sub_merchant_id text,
  store_id text,
  payer_account_id uuid not null,
  settlement_account_id uuid not null,
  currency text not null,
  held bigint not null check (held > 0),
  captured bigint not null check (captured >= 0),
  voided bigint not null check (voided >= 0),
  expired bigint not null check (expired >= 0),
  remaining bigint not null check (remaining >= 0),
  refunded bigint not null check (refunded >= 0),
  -- Says what `remaining` says, but changes only once: the indexes over it are left alone until a hold closes.
  is_open boolean not null,
  capture_count int not null,
  void_count int not null,
  refund_count int not null,
  event_count int not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint holds_algebra check (captured + voided + expired + remaining = held),
  constraint holds_refunded check (refunded <= captured),
  constraint holds_open check (is_open = (remaining > 0))
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);

create index holds_open_by_expiry on holds (expires_at, id) where is_open;
create index holds_open_by_payer on holds (payer_account_id) where is_open;
-- A query without a reference asks for the newest payment of a merchant, sub-merchant or store.
create index holds_by_merchant on holds (partner, merchant_id, id);
create index holds_by_sub_merchant on holds (partner, sub_merchant_id, id) where sub_merchant_id is not null;
create index holds_by_store on holds (partner, store_id, id) where store_id is not null;

-- Hold events: captures, voids, expiry and refunds of a hold. Never changed or deleted, except `refunded` of a capture.
create table hold_events (
  hold_id uuid not null,
  -- From 1 without a gap.
  sequence int not null check (sequence > 0),
  -- 1 capture, 2 void, 3 expiry, 4 refund: one for each capture it is paid from.
  kind smallint not null check (kind between 1 and 4),
  command_id uuid not null,
  amount bigint not null check (amount > 0),
  -- Of a refund: the sequence of the capture it is paid from.
  capture_sequence int,
  -- Of a capture: what refunds paid back of it.
  refunded bigint not null default 0,
  created_at timestamptz not null,
  primary key (hold_id, sequence),
  constraint hold_events_refunded check (refunded >= 0 and refunded <= amount and (kind = 1 or refunded = 0)),
  constraint hold_events_capture check ((kind = 4) = (capture_sequence is not null))
) with (fillfactor = 80);

-- The audit reads events by the time of their commands: they are added in about that order.
create index hold_events_command on hold_events using brin (command_id) with (pages_per_range = 16, autosummarize = on);

-- Transfers to other banks, from acceptance to their result; the id is that of the accepted request.
create table transfers (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  rail text not null,
  source_account_id uuid not null,
  currency text not null,
  -- What the beneficiary's bank receives.
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  -- What counts against the payer's daily limit, and on which business day.
  daily_limit_amount bigint not null,
  business_date int not null,
  state text not null check (state in ('queued', 'submitted', 'pending', 'settled', 'rejected', 'returned')),
  -- Says what `state` says, but changes only once: the indexes over open transfers are left alone until then.
  is_open boolean not null,
  -- The rail's own number of it.
  trace_no text,
  -- Why the rail rejected it: a `RejectionKind`.
  reject_reason text,
  -- Whether its result was the first response to its call.
  resolved_synchronously boolean not null,
  resolved_by text,
  returned_by text,
  resolution_journal_id uuid,
  return_journal_id uuid,
  -- Number of changes.
  version int not null,
  accepted_at timestamptz not null,
  -- When it was last handed to its rail, or accepted to be; the epoch once the rail has acknowledged it. For a while after
  -- it an instruction may still arrive, and no operator's rejection is recorded.
  submitted_at timestamptz not null,
  -- A lease and a schedule in one: a node that asks about it moves the time, so no other node asks meanwhile.
  next_inquiry_at timestamptz not null,
  inquiry_count int not null default 0,
  constraint transfers_open check (is_open = (state in ('queued', 'submitted', 'pending'))),
  constraint transfers_resolved check (is_open = (resolution_journal_id is null)),
  constraint transfers_returned check ((state = 'returned') = (return_journal_id is not null)),
  constraint transfers_resolved_by
    check (is_open = (resolved_by is null) and (resolved_by is null or resolved_by in ('rail', 'operator'))),
  constraint transfers_returned_by
    check ((state = 'returned') = (returned_by is not null) and (returned_by is null or returned_by in ('rail', 'operator')))
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);

-- Each rail's inquiries are made by themselves: a rail that no node is connected to must not slow the others.
create index transfers_inquiries_of_rail on transfers (rail, next_inquiry_at, id) where is_open;
create index transfers_open_by_source on transfers (source_account_id) where is_open;
create unique index transfers_by_resolution on transfers (resolution_journal_id);
create unique index transfers_by_return on transfers (return_journal_id) where return_journal_id is not null;

-- Outbox: notifications to partners (services 21, 75, 76), written in the commit that makes them true (spec D14).
create table outbox (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  -- The transfer it is about; notifications of one are delivered in order.
  aggregate_id uuid not null,
  -- `latestTransactionStatus`.
  status text not null,
  created_at timestamptz not null
);
create unique index outbox_by_aggregate on outbox (aggregate_id, status);

-- The audit reads entries and hold events in slices of time, by block range indexes. PostgreSQL reads every range that is
-- not summarized yet in each slice, and leaves summarizing to autovacuum, which may lag behind a load: so the audit has
-- it done before it begins. Only the owner of an index may; the service's role asks through this function.
create function summarize_block_ranges(index_name text, from_block bigint, to_block bigint) returns bigint
  language plpgsql security definer set search_path from current as $$
begin
  if index_name not in ('entries_journal', 'hold_events_command') then
    raise exception 'no block range index of the audit: %', index_name using errcode = 'invalid_parameter_value';
  end if;
  return (
    select sum(brin_summarize_range(index_name::regclass, block))
    from generate_series(from_block, to_block, 16) block
  );
end $$;
