-- Partitions: what is only ever added is kept in tables of a period each (docs/database-growth.md), by ids, which are
-- UUIDv7 and so in the order of time. A default partition has what no period has: a write never fails for want of one.
-- The service's role owns none of them; it makes and drops them through the functions of this file.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- The id that stands before every UUIDv7 of a moment and behind every earlier one.
create function id_at(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(greatest(extract(epoch from at) * 1000, 0)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- When a UUIDv7 was made.
create function time_of(id uuid) returns timestamptz language sql immutable strict as $$
  select to_timestamp(('x0000' || substr(replace(id::text, '-', ''), 1, 12))::bit(64)::bigint / 1000.0)
$$;

-- The partitioned tables, by the column that their periods are of. Those that may be dropped are kept for a while only.
create function partitioned_by(parent text) returns text language sql immutable strict as $$
  select case parent when 'accepted_requests' then 'id' when 'rejected_requests' then 'id' when 'entries' then 'journal_id'
    when 'hold_events' then 'hold_id' when 'delivery_attempts' then 'outbox_id' end
$$;

create view partitions as
  select parent.relname::text as parent, child.relname::text as name,
    substring(bounds.of from 'FROM \(''([0-9a-f-]+)''\)')::uuid as from_id,
    substring(bounds.of from 'TO \(''([0-9a-f-]+)''\)')::uuid as to_id,
    bounds.of = 'DEFAULT' as is_default, child.oid as relation
  from pg_inherits i join pg_class parent on parent.oid = i.inhparent join pg_class child on child.oid = i.inhrelid
    cross join lateral (select pg_get_expr(child.relpartbound, child.oid) as of) bounds
  where parent.relkind = 'p' and parent.relnamespace = current_schema()::regnamespace
    and partitioned_by(parent.relname::text) is not null;

-- A table like the partitioned one, with what that cannot have itself.
create function create_like_parent(parent text, name text) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including all)', name, parent);
  if parent = 'entries' then execute format('alter table %I add primary key (account_id, version)', name); end if;
  if parent = 'hold_events' then execute format('alter table %I set (fillfactor = 80)', name); end if;
end $$;

do $$
declare parent text;
begin
  foreach parent in array array['accepted_requests', 'rejected_requests', 'entries', 'hold_events', 'delivery_attempts'] loop
    perform create_like_parent(parent, parent || '_default');
    execute format('alter table %I attach partition %I default', parent, parent || '_default');
  end loop;
end $$;

-- Makes the partition of a period, with the rows of it that the default partition has. False: there is one that has a part
-- of it. It keeps out what would change the same table's partitions, and for its last milliseconds those who use the default
-- partition; it waits for either lock for 100 ms, and its caller tries again.
create function make_partition(parent text, from_time timestamptz, to_time timestamptz) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  id_column text := partitioned_by(parent);
  name text := parent || '_' || to_char(from_time at time zone 'UTC', 'YYYYMMDD')
    || case when from_time = date_trunc('day', from_time, 'UTC') then '' else to_char(from_time at time zone 'UTC', '"t"HH24MISSMS') end;
  in_period text;
  moved bigint;
begin
  if id_column is null then
    raise exception 'no partitioned table: %', parent using errcode = 'invalid_parameter_value';
  end if;
  if from_time >= to_time or to_time > clock_timestamp() + interval '400 days' then
    raise exception 'no period to come: % to %', from_time, to_time using errcode = 'invalid_parameter_value';
  end if;
  execute format('lock table %I in share update exclusive mode', parent);
  if exists (select from partitions p where p.parent = make_partition.parent
    and p.from_id < id_at(to_time) and p.to_id > id_at(from_time)) then
    return false;
  end if;
  perform create_like_parent(parent, name);
  execute format('lock table %I in access exclusive mode', parent || '_default');
  in_period := format('from %1$I where %2$I >= %3$L and %2$I < %4$L', parent || '_default', id_column, id_at(from_time), id_at(to_time));
  execute format('select count(*) from (select %s limit 10001) found', in_period) into moved;
  if moved > 10000 then
    raise exception 'the default partition of % has more than 10,000 rows of %', parent, name using errcode = 'check_violation';
  elsif moved > 0 then
    execute format('with moved as (delete %s returning *) insert into %I select * from moved', in_period, name);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, id_at(from_time), id_at(to_time));
  return true;
end $$;

-- Drops the partitions that end at a moment or before it, and what the default partition has of that time; answers how many
-- partitions went. Only of what is kept for a while, and never of the last week.
create function drop_partitions(parent text, until_time timestamptz) returns int
  language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  old text;
  dropped int := 0;
  time_column text := case parent when 'rejected_requests' then 'rejected_at' when 'delivery_attempts' then 'at' end;
begin
  if time_column is null or until_time > clock_timestamp() - interval '7 days' then
    raise exception 'not to be dropped: % until %', parent, until_time using errcode = 'invalid_parameter_value';
  end if;
  for old in select p.name from partitions p where p.parent = drop_partitions.parent and p.to_id <= id_at(until_time) order by p.to_id loop
    execute format('drop table %I', old);
    dropped := dropped + 1;
  end loop;
  execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where %2$I < %3$L limit 10000))',
    parent || '_default', time_column, until_time);
  return dropped;
end $$;

-- How many rows of the periods from the oldest on the default partition has, at most 1,000; of older ones, which were
-- dropped or detached, it may have some.
create function count_default_rows(parent text) returns bigint language plpgsql stable security definer
  set search_path from current as $$
declare
  found bigint;
  oldest uuid := (select p.from_id from partitions p where p.parent = count_default_rows.parent order by p.from_id limit 1);
begin
  if partitioned_by(parent) is null then
    raise exception 'no partitioned table: %', parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('select count(*) from (select from %I where %I >= %L limit 1000) found', parent || '_default',
    partitioned_by(parent), coalesce(oldest, '00000000-0000-0000-0000-000000000000')) into found;
  return found;
end $$;

-- Partitions of entries and accepted requests that the operator has detached (titian database detach).
create table detached_partitions (
  name text primary key,
  parent text not null,
  from_id uuid not null,
  to_id uuid not null
);

-- Of each account that has entries in them, its last one there: what is left of its chain of entries follows it.
create table detached_balances (
  account_id uuid primary key,
  version bigint not null,
  balance_after bigint not null
);

revoke execute on function create_like_parent, make_partition, drop_partitions, count_default_rows from public;

-- From the week before this one, by UTC, to the fourth to come: the service makes those behind them (jobs/make-partitions.ts).
do $$
declare
  parent text;
  week timestamptz := date_trunc('week', clock_timestamp(), 'UTC');
begin
  foreach parent in array array['accepted_requests', 'rejected_requests', 'entries', 'hold_events', 'delivery_attempts'] loop
    for n in -1..4 loop
      perform make_partition(parent, week + n * interval '7 days', week + (n + 1) * interval '7 days');
    end loop;
  end loop;
end $$;
