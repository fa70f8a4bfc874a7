-- Payment requests (service 19): the holder of an account is asked to pay. Units as in 0001-baseline-ledger.sql.
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
