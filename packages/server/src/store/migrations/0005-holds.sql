-- Holds and what happened to them. A hold's row is locked by whatever changes it, and that lock covers its lines.
-- Amounts are minor units of the hold's currency; times are the service's business time.

create table holds (
  id uuid primary key,
  partner uuid not null,
  -- The number key of the write that placed it: refunds name a hold by its partner's number.
  number_key uuid not null,
  partner_reference_no text not null,
  merchant_id text not null,
  sub_merchant_id text,
  store_id text,
  payer uuid not null,
  settlement uuid not null,
  currency text not null,
  held bigint not null check (held > 0),
  captured bigint not null check (captured >= 0),
  voided bigint not null check (voided >= 0),
  expired bigint not null check (expired >= 0),
  remaining bigint not null check (remaining >= 0),
  refunded bigint not null check (refunded >= 0),
  -- Says what `remaining` says, but changes only once: the indexes over it are left alone until a hold closes.
  is_open boolean not null,
  captures int not null,
  voids int not null,
  refunds int not null,
  lines int not null,
  expires_at timestamptz not null,
  at timestamptz not null,
  constraint holds_algebra check (captured + voided + expired + remaining = held),
  constraint holds_refunded check (refunded <= captured),
  constraint holds_open check (is_open = (remaining > 0))
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);

create index holds_open_by_expiry on holds (expires_at, id) where is_open;
create index holds_open_by_payer on holds (payer) where is_open;
-- The newest payment of a merchant, sub-merchant or store is what a query without a reference asks for.
create index holds_by_merchant on holds (partner, merchant_id, id);
create index holds_by_sub_merchant on holds (partner, sub_merchant_id, id) where sub_merchant_id is not null;
create index holds_by_store on holds (partner, store_id, id) where store_id is not null;

-- One line for each thing that happened: 1 capture, 2 void, 3 expiry, 4 refund. Lines are never changed or deleted,
-- but for what of a capture was refunded; a refund has one line for each capture it gives back from.
create table hold_lines (
  hold uuid not null,
  line int not null check (line > 0),
  kind smallint not null check (kind between 1 and 4),
  command uuid not null,
  amount bigint not null check (amount > 0),
  capture int,
  refunded bigint not null default 0,
  at timestamptz not null,
  primary key (hold, line),
  constraint hold_lines_refunded check (refunded >= 0 and refunded <= amount and (kind = 1 or refunded = 0)),
  constraint hold_lines_capture check ((kind = 4) = (capture is not null))
) with (fillfactor = 80);
