-- What a role of audits and one of jobs may do without the owner's rights (docs/adr/0085-roles-of-jobs-and-break-glass.md): neither writes a table,
-- and neither proposes or approves.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Keeps up to which id an audit has found everything in order, unless another one than it began from stands there now.
create function keep_audit_position(new_id uuid, was text) returns void language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
begin
  if time_of(new_id) > clock_timestamp() then
    raise exception 'no audit has gone so far yet: %', new_id using errcode = 'invalid_parameter_value';
  end if;
  insert into service_state as kept (name, value) values ('audit_watermark', to_json(new_id::text))
    on conflict (name) do update set value = excluded.value where kept.value #>> '{}' is not distinct from was;
end $$;

-- Reasons why a partition is not to be detached, as sentences; none: empty.
create function find_detach_obstacles(of_partition text) returns text[] language plpgsql stable security definer set search_path from current as $$
declare
  known record;
  audited uuid := (select (value #>> '{}')::uuid from service_state where name = 'audit_watermark');
  released uuid := (select (value #>> '{}')::uuid from service_state where name = 'external_ids_released');
  too_late text;
begin
  select * into known from partitions p where p.name = of_partition;
  if not found or known.parent not in ('entries', 'accepted_requests', 'hold_events') or known.is_default then
    raise exception 'no partition to be detached: %', of_partition using errcode = 'invalid_parameter_value';
  end if;
  if known.to_id > id_at(clock_timestamp() - interval '90 days') then too_late := 'the last 90 days stay attached'; end if;
  if known.parent = 'hold_events' then
    return array_remove(array[
      too_late,
      case when not exists (select from detached_partitions d where d.parent = 'entries'
        and (d.from_id, d.to_id) = (known.from_id, known.to_id)) then 'entries of its period are attached' end,
      (select count(*) || ' of its holds are not among the closed ones' from holds h
        where h.id >= known.from_id and h.id < known.to_id having count(*) > 0),
      case when exists (select from hold_events e where e.hold_id >= known.from_id and e.hold_id < known.to_id
        and e.command_id > coalesce(audited, known.from_id)) then 'no clean audit has gone through all of its events' end
    ], null);
  end if;
  return array_remove(array[
    too_late,
    case when audited >= known.to_id then null else 'no clean audit has gone so far: run titian audit' end,
    case when released >= known.to_id then null
      else 'external ids of that time are still kept: they are given up by the service''s jobs' end,
    (select count(*) || ' transfers of that time are open' from transfers where is_open and id < known.to_id having count(*) > 0),
    (select count(*) || ' bulks of that time are open' from bulks where is_open and id < known.to_id having count(*) > 0),
    (select count(*) || ' payment requests of that time are open' from payment_requests
      where state = 'waiting' and id < known.to_id having count(*) > 0),
    (select count(*) || ' holds of that time are open' from holds where is_open and id < known.to_id having count(*) > 0),
    (select count(*) || ' entries are in the default partition' from entries_default
      where journal_id < known.to_id having count(*) > 0),
    (select count(*) || ' accepted requests are in the default partition' from accepted_requests_default
      where id < known.to_id having count(*) > 0)
  ], null);
end $$;

-- The list of what is detached, which its reader verifies by its signature: of all that is recorded, and of nothing else.
create function keep_detached_list(list json) returns void language plpgsql set search_path from current as $$
begin
  if list ->> 'signature' is null or (list ->> 'list')::jsonb is distinct from (
      select coalesce(jsonb_object_agg(d.name, encode(sha256(convert_to(d.record, 'UTF8')), 'hex')), '{}') from detached_partitions d) then
    raise exception 'the list is not of what is detached' using errcode = 'restrict_violation';
  end if;
  insert into service_state (name, value) values ('detached_partitions', list) on conflict (name) do update set value = excluded.value;
end $$;

-- Detaches partitions of one period, each with its record and the signature of that, and keeps the list of all: at once, or none of
-- them. They stay as tables. No signature is verified: the database has no key.
create function detach_partitions(names text[], records text[], signatures text[], list json) returns void language plpgsql
  security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  parents text;
  known record;
  obstacles text[];
  is_of json;
begin
  for place in 1 .. cardinality(names) loop
    obstacles := find_detach_obstacles(names[place]);
    if obstacles <> '{}' then
      raise exception '% is not to be detached: %', names[place], array_to_string(obstacles, ', ') using errcode = 'restrict_violation';
    end if;
    select * into strict known from partitions p where p.name = names[place];
    is_of := records[place];
    if signatures[place] is null or (is_of ->> 'name', is_of ->> 'parent', is_of ->> 'from', is_of ->> 'to', is_of ->> 'isListed')
        is distinct from (known.name, known.parent, known.from_id::text, known.to_id::text, 'true') then
      raise exception 'no record of %', known.name using errcode = 'restrict_violation';
    end if;
    -- It reads the partition, to which nothing is written any more, and so before the locks.
    if known.parent = 'entries' then
      execute format('insert into detached_balances as kept (account_id, version, balance_after)
        select distinct on (account_id) account_id, version, balance_after from %I order by account_id, version desc
        on conflict (account_id) do update set version = excluded.version, balance_after = excluded.balance_after
          where kept.version < excluded.version', known.name);
    end if;
  end loop;
  select string_agg('only ' || quote_ident(p.parent), ', ' order by p.parent) into parents from partitions p where p.name = any(names);
  -- Again while a lock is not free, so that calls never queue behind it for longer.
  for tries in 1 .. 50 loop
    begin
      -- One detaches or attaches at a time.
      lock table detached_partitions in share row exclusive mode;
      -- In the order in which a batch writes them.
      execute format('lock table %s in access exclusive mode', parents);
      for place in 1 .. cardinality(names) loop
        select * into strict known from partitions p where p.name = names[place];
        execute format('alter table %I detach partition %I', known.parent, known.name);
        insert into detached_partitions (name, parent, from_id, to_id, record, signature)
          values (known.name, known.parent, known.from_id, known.to_id, records[place], signatures[place]);
      end loop;
      if exists (select from detached_partitions d join partitions p on p.from_id < d.to_id and p.to_id > d.from_id
          where d.name = any(names) and d.parent in ('entries', 'accepted_requests') and p.parent in ('entries', 'accepted_requests')) then
        raise exception 'entries and accepted requests of a period are detached together' using errcode = 'restrict_violation';
      end if;
      perform keep_detached_list(list);
      return;
    exception when lock_not_available then
      if tries = 50 then raise; end if;
      perform pg_sleep(0.2);
    end;
  end loop;
end $$;

-- Removes the words of the search: nodes make them again from the oldest record on.
create function empty_search() returns void language plpgsql security definer set search_path from current as $$
begin
  -- First the row that each transaction of a filling node updates first.
  update search_positions set position = '00000000-0000-0000-0000-000000000000', generation = generation + 1;
  truncate table search_words;
end $$;

revoke execute on function keep_audit_position, find_detach_obstacles, detach_partitions, keep_detached_list, empty_search from public;
