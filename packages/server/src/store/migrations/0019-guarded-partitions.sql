-- Triggers of a statement guard the table that the statement names. What names a partition, as its owner can, met none of its
-- parent's: each partition has them itself from here on.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Gives a table the guards of the partitioned table; again: nothing changes.
create function guard_partition(parent text, name text) returns void language plpgsql as $$
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
  end if;
end $$;
revoke execute on function guard_partition from public;

create or replace function create_like_parent(parent text, name text) returns void language plpgsql as $$
begin
  execute format('create table %I (like %I including all)', name, parent);
  if parent = 'entries' then execute format('alter table %I add primary key (account_id, version)', name); end if;
  if parent = 'hold_events' then execute format('alter table %I set (fillfactor = 80)', name); end if;
  perform guard_partition(parent, name);
end $$;

-- As in 0006-partitions.sql, but for the guards of the default partition: they let its rows move, while its lock keeps all others out.
create or replace function make_partition(parent text, from_time timestamptz, to_time timestamptz) returns boolean
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
    execute format('alter table %I disable trigger user', parent || '_default');
    execute format('with moved as (delete %s returning *) insert into %I select * from moved', in_period, name);
    execute format('alter table %I enable trigger user', parent || '_default');
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name, id_at(from_time), id_at(to_time));
  return true;
end $$;

-- In the order in which a batch writes them.
do $$
declare
  parent text;
  name text;
begin
  foreach parent in array array['request_keys', 'accepted_requests', 'entries'] loop
    for name in select i.inhrelid::regclass::text from pg_inherits i where i.inhparent = parent::regclass order by 1 loop
      perform guard_partition(parent, name);
    end loop;
  end loop;
end $$;
