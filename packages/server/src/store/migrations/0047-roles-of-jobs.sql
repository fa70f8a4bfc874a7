-- What a role of audits and one of jobs may do without the owner's rights (docs/adr/0085-roles-of-jobs-and-break-glass.md): neither writes a table of the
-- ledger, and neither proposes or approves.

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

-- Rows of the default partition with an id before this one: no partition of a period has them.
create function count_default_rows_before(parent text, before_id uuid) returns bigint language plpgsql stable security definer
  set search_path from current as $$
declare
  counted bigint;
begin
  if partitioned_by(parent) is null then
    raise exception 'no partitioned table: %', parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('select count(*) from %I where %I < %L', parent || '_default', partitioned_by(parent), before_id) into counted;
  return counted;
end $$;

-- Of the entries of a partition that is about to be detached.
create function keep_detached_balances(of_partition text) returns void language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from partitions p where p.name = of_partition and p.parent = 'entries' and not p.is_default) then
    raise exception 'no partition of entries: %', of_partition using errcode = 'invalid_parameter_value';
  end if;
  execute format('insert into detached_balances as kept (account_id, version, balance_after)
    select distinct on (account_id) account_id, version, balance_after from %I order by account_id, version desc
    on conflict (account_id) do update set version = excluded.version, balance_after = excluded.balance_after
      where kept.version < excluded.version', of_partition);
end $$;

-- Detaches partitions of one period, each with its record and the signature of that: at once, or none of them. They stay as tables.
create function detach_partitions(names text[], records text[], signatures text[]) returns void language plpgsql
  security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  parents text;
  known record;
begin
  -- One detaches or attaches at a time.
  lock table detached_partitions in share row exclusive mode;
  select string_agg('only ' || quote_ident(p.parent), ', ' order by p.parent) into parents from partitions p where p.name = any(names);
  -- In the order in which a batch writes them.
  execute format('lock table %s in access exclusive mode', parents);
  for place in 1 .. cardinality(names) loop
    select * into strict known from partitions p where p.name = names[place];
    if known.parent not in ('entries', 'accepted_requests', 'hold_events') or known.to_id is null
        or known.to_id > id_at(clock_timestamp() - interval '90 days') then
      raise exception 'not to be detached: %', known.name using errcode = 'restrict_violation';
    end if;
    execute format('alter table %I detach partition %I', known.parent, known.name);
    insert into detached_partitions (name, parent, from_id, to_id, record, signature)
      values (known.name, known.parent, known.from_id, known.to_id, records[place], signatures[place]);
  end loop;
end $$;

-- The list of what is detached, which its reader verifies by its signature.
create function keep_detached_list(list json) returns void language sql security definer set search_path from current as $$
  insert into service_state (name, value) values ('detached_partitions', list) on conflict (name) do update set value = excluded.value
$$;

-- Removes the words of the search: nodes make them again from the oldest record on.
create function empty_search() returns void language plpgsql security definer set search_path from current as $$
begin
  -- First the row that each transaction of a filling node updates first.
  update search_positions set position = '00000000-0000-0000-0000-000000000000', generation = generation + 1;
  truncate table search_words;
end $$;

revoke execute on function keep_audit_position, count_default_rows_before, keep_detached_balances, detach_partitions, keep_detached_list, empty_search from public;
