-- Holds and their events. Units as in 0001-ledger.sql.

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

-- Hold events: captures, voids, expiry and refunds of a hold. Never changed or deleted, except `refunded` of a capture. In
-- partitions (0006-partitions.sql): all events of a hold are in one.
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
) partition by range (hold_id);

-- The audit reads events by the time of their commands: they are added in about that order.
create index hold_events_command on hold_events using brin (command_id) with (pages_per_range = 16, autosummarize = on);
