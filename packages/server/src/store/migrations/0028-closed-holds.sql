-- Closed holds: nothing can change them any more, and nobody looks for what is due among them. They leave the table of holds for
-- partitions by id, as their events have them (docs/database-growth.md).

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

create table closed_holds (
  like holds,
  -- From then on nothing could change it: after its last event, and once no capture of it could be refunded.
  closed_at timestamptz not null,
  primary key (id),
  constraint closed_holds_algebra check (captured + voided + expired = held),
  constraint closed_holds_refunded check (refunded <= captured),
  constraint closed_holds_closed check (remaining = 0 and not is_open)
) partition by range (id);

create index closed_holds_by_merchant on closed_holds (partner, merchant_id, id);
create index closed_holds_by_sub_merchant on closed_holds (partner, sub_merchant_id, id) where sub_merchant_id is not null;
create index closed_holds_by_store on closed_holds (partner, store_id, id) where store_id is not null;

create function reject_closed_hold_change() returns trigger language plpgsql as $$
begin
  raise exception 'closed holds are never changed or deleted' using errcode = 'restrict_violation';
end $$;
create trigger closed_holds_immutable before update or delete or truncate on closed_holds
  for each statement execute function reject_closed_hold_change();

-- A closed hold was a hold, with the same values in every column; a hold goes once it is among the closed ones.
create function reject_unequal_closed_hold() returns trigger language plpgsql as $$
begin
  if not exists (select from holds h where h.id = new.id and to_jsonb(h) = to_jsonb(new) - 'closed_at') then
    raise exception 'closed hold % is no copy of a hold', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger closed_holds_equal before insert on closed_holds
  for each row execute function reject_unequal_closed_hold();

create function reject_lost_hold() returns trigger language plpgsql as $$
begin
  if not exists (select from closed_holds c where c.id = old.id and to_jsonb(c) - 'closed_at' = to_jsonb(old)) then
    raise exception 'hold % is not among the closed holds', old.id using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger holds_kept before delete on holds for each row execute function reject_lost_hold();

create function reject_truncated_holds() returns trigger language plpgsql as $$
begin
  raise exception 'holds are never truncated' using errcode = 'restrict_violation';
end $$;
create trigger holds_not_truncated before truncate on holds for each statement execute function reject_truncated_holds();

-- Until when nothing may have changed a hold that moves. Long ago: no clock of a node is so wrong that a refund could still be
-- accepted. None with an id of a later time is among the closed ones.
create function closed_until() returns timestamptz language sql stable as $$ select statement_timestamp() - interval '30 days' $$;

create or replace function partitioned_by(parent text) returns text language sql immutable strict as $$
  select case parent when 'accepted_requests' then 'id' when 'rejected_requests' then 'id' when 'entries' then 'journal_id'
    when 'hold_events' then 'hold_id' when 'closed_holds' then 'id' when 'delivery_attempts' then 'outbox_id' end
$$;

create or replace function guard_partition(parent text, name text) returns void language plpgsql as $$
begin
  if parent = 'entries' then
    execute format('create or replace trigger entries_balanced after insert on %I
      referencing new table as added for each statement execute function reject_unbalanced_journal()', name);
    execute format('create or replace trigger entries_immutable before update or delete or truncate on %I
      for each statement execute function reject_entry_change()', name);
  elsif parent = 'accepted_requests' then
    execute format('create or replace trigger accepted_requests_immutable before update or delete or truncate on %I
      for each statement execute function reject_request_change()', name);
  elsif parent = 'request_keys' then
    execute format('create or replace trigger request_keys_unchanged before update or truncate on %I
      for each statement execute function reject_key_change()', name);
  elsif parent = 'closed_holds' then
    execute format('create or replace trigger closed_holds_immutable before update or delete or truncate on %I
      for each statement execute function reject_closed_hold_change()', name);
  end if;
end $$;

-- The default partition, and the periods that hold events have: closed holds are of past ones.
do $$
declare
  period record;
begin
  perform create_like_parent('closed_holds', 'closed_holds_default');
  alter table closed_holds attach partition closed_holds_default default;
  for period in select from_id, to_id from partitions where parent = 'hold_events' and not is_default order by from_id loop
    perform make_partition('closed_holds', time_of(period.from_id), time_of(period.to_id));
  end loop;
end $$;

-- Moves those of the holds that nothing can change any more; answers how many. Whoever may call it decides on nothing: each is
-- judged here, under its lock, by the database's clock. One that is locked stays, and so does all for a week after this
-- migration, while nodes of the release before may serve, which do not look for closed holds.
create function move_closed_holds(named uuid[]) returns int
  language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  until_time timestamptz := closed_until();
  locked uuid[];
  moved int;
begin
  if cardinality(named) > 1000 then
    raise exception 'more than 1,000 holds' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from migrations where number = 28 and applied_at <= statement_timestamp() - interval '7 days') then
    return 0;
  end if;
  locked := array(select id from holds where id = any(named) and id < id_at(until_time) and not is_open
    order by id for update skip locked);
  -- A statement of its own: it sees the events that were written before the lock.
  with closed as (
    select h.*, e.closed_at from holds h cross join lateral (
      select count(*) as events,
        coalesce(sum(amount) filter (where kind = 1), 0) as captured, coalesce(sum(amount) filter (where kind = 2), 0) as voided,
        coalesce(sum(amount) filter (where kind = 3), 0) as expired, coalesce(sum(amount) filter (where kind = 4), 0) as refunded,
        -- Of captures by a release that kept no window: 365 days.
        max(greatest(created_at, case when kind = 1 and refunded < amount
          then coalesce(refund_until, created_at + interval '365 days') end)) as closed_at
      from hold_events where hold_id = h.id) e
    where h.id = any(locked) and e.closed_at <= until_time and e.events = h.event_count
      and (e.captured, e.voided, e.expired, e.refunded) = (h.captured, h.voided, h.expired, h.refunded)),
  added as (
    insert into closed_holds (id, partner, partner_reference_key, partner_reference_no, merchant_id, sub_merchant_id, store_id,
      payer_account_id, settlement_account_id, currency, held, captured, voided, expired, remaining, refunded, is_open,
      capture_count, void_count, refund_count, event_count, expires_at, created_at, closed_at)
    select id, partner, partner_reference_key, partner_reference_no, merchant_id, sub_merchant_id, store_id,
      payer_account_id, settlement_account_id, currency, held, captured, voided, expired, remaining, refunded, is_open,
      capture_count, void_count, refund_count, event_count, expires_at, created_at, closed_at from closed
    returning id)
  delete from holds using added where holds.id = added.id;
  get diagnostics moved = row_count;
  return moved;
end $$;
revoke execute on function move_closed_holds from public;
