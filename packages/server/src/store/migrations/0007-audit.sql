-- What the audit needs done by the owner.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- The audit reads entries and hold events in slices of time, by block range indexes. PostgreSQL reads every range that is
-- not summarized yet in each slice, and leaves summarizing to autovacuum, which may lag behind a load: so the audit has
-- it done before it begins. Only the owner of an index may; the service's role asks through this function.
create function summarize_block_ranges(index_name text, from_block bigint, to_block bigint) returns bigint
  language plpgsql security definer set search_path from current as $$
begin
  if not exists (select from pg_inherits where inhrelid = index_name::regclass
    and inhparent in ('entries_journal'::regclass, 'hold_events_command'::regclass)) then
    raise exception 'no block range index of the audit: %', index_name using errcode = 'invalid_parameter_value';
  end if;
  return (
    select sum(brin_summarize_range(index_name::regclass, block))
    from generate_series(from_block, to_block, 16) block
  );
end $$;
