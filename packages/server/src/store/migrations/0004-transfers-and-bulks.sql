-- Transfers over rails, bulks of them, and payment requests. Units as in 0001-ledger.sql.

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
  -- Part of the rail's suspense account that holds amount and fee while it is open: `suspense:<rail>:<currency>:<part>`.
  -- Of the payer's number when it was accepted; never changes.
  suspense_part smallint not null check (suspense_part between 0 and 15),
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
  -- Of an item of a bulk: its bulk, and its position in the request, from 0.
  bulk_id uuid,
  bulk_position int,
  -- Number of changes.
  version int not null,
  accepted_at timestamptz not null,
  -- When it was last handed to its rail, or accepted to be; the epoch once the rail has acknowledged it. For a while after
  -- it an instruction may still arrive, and no operator's rejection is recorded.
  submitted_at timestamptz not null,
  -- A lease and a schedule in one: a node that asks about it moves the time, so no other node asks meanwhile. Null: an
  -- item of a bulk that was never submitted; it has its turn in its bulk.
  next_inquiry_at timestamptz,
  inquiry_count int not null default 0,
  constraint transfers_bulk check ((bulk_id is null) = (bulk_position is null)),
  constraint transfers_inquiry check (next_inquiry_at is not null or bulk_id is not null),
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
-- Each row is written anew at each of its changes, into every index that has it: none has what is not looked for in it.
-- An item is open only while its bulk is, which is found by its own index.
create index transfers_open_of_source on transfers (source_account_id) where is_open and bulk_id is null;
create unique index transfers_by_resolution_journal on transfers (resolution_journal_id)
  where resolution_journal_id is not null;
create unique index transfers_by_return on transfers (return_journal_id) where return_journal_id is not null;
-- Items in the order of their request, and those of them that were never submitted.
create unique index transfers_by_bulk on transfers (bulk_id, bulk_position) where bulk_id is not null;
create index transfers_unsubmitted on transfers (bulk_id, bulk_position)
  where bulk_id is not null and next_inquiry_at is null and is_open;
-- By the number that its rail gave it: what the other side knows it by.
create index transfers_by_trace_no on transfers (trace_no) where trace_no is not null;

-- Bulks (service 20): many transfers over the interbank rail, accepted as a whole.
-- An item is a row of `transfers`, with a row of its own in `accepted_requests`, whose key is the item's number.
create table bulks (
  -- That of the accepted request.
  id uuid primary key,
  partner uuid not null,
  source_account_id uuid not null,
  currency text not null,
  item_count int not null check (item_count > 0),
  -- Sum of the requested amounts, and of the fees.
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  -- Items by their results so far; one that was returned has settled before.
  settled_count int not null check (settled_count >= 0),
  rejected_count int not null check (rejected_count >= 0),
  returned_count int not null check (returned_count >= 0),
  -- Sums of rejected items, as above: both are back with the payer.
  rejected_amount bigint not null check (rejected_amount between 0 and amount),
  rejected_fee bigint not null check (rejected_fee between 0 and fee),
  -- Says that not all items have their results; changes only once.
  is_open boolean not null,
  -- When the last item had its result.
  ended_at timestamptz,
  -- Number of changes.
  version int not null,
  accepted_at timestamptz not null,
  constraint bulks_counts check (settled_count + rejected_count <= item_count and returned_count <= settled_count),
  constraint bulks_open check (is_open = (settled_count + rejected_count < item_count)),
  constraint bulks_ended check (is_open = (ended_at is null))
) with (fillfactor = 60);

create index bulks_open on bulks (id) where is_open;
create index bulks_open_by_source on bulks (source_account_id) where is_open;
create index bulks_by_partner on bulks (partner, id);

-- An item's result is counted on its bulk in the same transaction: what counts none records none.
create function reject_uncounted_result() returns trigger language plpgsql as $$
begin
  if not exists (select from bulks where id = new.bulk_id and xmin = pg_current_xact_id()::xid) then
    raise exception 'the result of an item is not counted on its bulk'
      using errcode = 'check_violation', constraint = 'transfers_counted';
  end if;
  return new;
end $$;

create trigger transfers_counted before update on transfers for each row
  when (new.bulk_id is not null and (old.is_open <> new.is_open or (new.state = 'returned' and old.state <> new.state)))
  execute function reject_uncounted_result();

-- Payment requests (service 19): the holder of an account is asked to pay.
-- Expiry is no state: a waiting request has expired from its time on.
create table payment_requests (
  -- That of the accepted request, and of the transfer over a rail that an approval makes.
  id uuid primary key,
  partner uuid not null,
  payer_account_id uuid not null,
  -- Null: the beneficiary's account is at another bank, and an approval pays over the interbank rail.
  beneficiary_account_id uuid,
  currency text not null,
  -- Null: an open amount, which the approval names.
  requested_amount bigint check (requested_amount > 0),
  fee_type text,
  expires_at timestamptz not null,
  state text not null check (state in ('waiting', 'approved', 'declined')),
  approved_amount bigint check (approved_amount > 0),
  approval_journal_id uuid,
  answered_at timestamptz,
  answered_by text check (answered_by in ('payer', 'operator')),
  -- Number of changes.
  version int not null,
  accepted_at timestamptz not null,
  constraint payment_requests_accepted_in_time check (expires_at > accepted_at),
  constraint payment_requests_approved check (
    (state = 'approved') = (approval_journal_id is not null) and (state = 'approved') = (approved_amount is not null)),
  constraint payment_requests_amount check (approved_amount = requested_amount),
  constraint payment_requests_answered check (
    (state = 'waiting') = (answered_at is null) and (state = 'waiting') = (answered_by is null)),
  constraint payment_requests_answered_in_time check (answered_at < expires_at)
) with (fillfactor = 60);

create index payment_requests_waiting_by_payer on payment_requests (payer_account_id, expires_at) where state = 'waiting';
create index payment_requests_by_payer on payment_requests (payer_account_id, id);
create unique index payment_requests_by_approval on payment_requests (approval_journal_id)
  where approval_journal_id is not null;
