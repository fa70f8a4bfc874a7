-- Notifications to partners (services 21, 75, 76) and their delivery (spec D14). Units as in 0001-ledger.sql.

-- Outbox: written in the commit that makes a notification true.
create table outbox (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  -- The transfer it is about; notifications of one are delivered in order.
  aggregate_id uuid not null,
  -- `latestTransactionStatus`.
  status text not null,
  created_at timestamptz not null,
  -- waiting: until it is accepted, or given up after its last attempt (dead) · kept: its partner had no address; both are
  -- sent again only by a replay.
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead', 'kept')),
  attempt_count int not null default 0,
  -- A lease and a schedule in one: a node that sends it moves the time. Null: at once.
  next_attempt_at timestamptz,
  -- Attempts before the last replay: each replay has as many as the first delivery.
  attempts_before_replay int not null default 0,
  -- Where a replay sends it; null: to the partner's address.
  replay_url text,
  delivered_at timestamptz
);

create unique index outbox_by_aggregate on outbox (aggregate_id, status);
-- What waits, by partner and time; the outbox by partner, and by time for replays.
create index outbox_waiting on outbox (partner, (coalesce(next_attempt_at, created_at)), id) where state = 'waiting';
create index outbox_by_partner on outbox (partner, id);
create index outbox_created on outbox using brin (created_at);
-- What was not delivered, newest first: of one state, and of one state of a partner.
create index outbox_undelivered on outbox (state, id) where state in ('dead', 'kept');
create index outbox_undelivered_by_partner on outbox (partner, state, id) where state in ('dead', 'kept');

-- Attempts of a delivery. Never changed. In partitions (0006-partitions.sql), which are dropped after a while.
create table delivery_attempts (
  outbox_id uuid not null,
  -- From 1. An attempt whose node died leaves a gap.
  attempt int not null check (attempt > 0),
  at timestamptz not null,
  url text not null,
  -- Of the reply; null: there was none.
  http_status int,
  response_code text,
  -- Its first characters.
  reply text,
  -- Why there was none, or why it does not count.
  failure text,
  duration_ms int not null,
  primary key (outbox_id, attempt)
) partition by range (outbox_id);
