-- Delivery of notifications (spec D14): the state of each, and its attempts. Units as in 0001-baseline-ledger.sql.

-- waiting: until it is accepted, or given up after its last attempt (dead) · kept: its partner had no address; both are sent
-- again only by a replay.
-- What there was before is kept: nobody expects it any more.
alter table outbox add column state text not null default 'kept';
alter table outbox alter column state set default 'waiting';
alter table outbox add constraint outbox_state check (state in ('waiting', 'delivered', 'dead', 'kept')) not valid;
alter table outbox add column attempt_count int not null default 0;
-- A lease and a schedule in one: a node that sends it moves the time. Null: at once.
alter table outbox add column next_attempt_at timestamptz;
-- Attempts before the last replay: each replay has as many as the first delivery.
alter table outbox add column attempts_before_replay int not null default 0;
-- Where a replay sends it; null: to the partner's address.
alter table outbox add column replay_url text;
alter table outbox add column delivered_at timestamptz;

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
);
