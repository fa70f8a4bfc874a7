-- Search: words that people know a record by. A job fills them from the accepted requests (jobs of the service, ADR 0070); no
-- commit of a request writes one, and all can be made again. Units as in 0001-ledger.sql.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

create table search_words (
  -- Hash of a word and its kind: a number, an amount and its day, an account. Of a name, and of an account at another bank, it
  -- is keyed by the key of the record's month.
  word bigint not null,
  -- Id of the accepted request.
  record uuid not null,
  primary key (word, record)
) partition by range (record);

-- Keys of the words that are keyed: one for each month, by UTC, in which ids of records were made.
create table search_keys (
  -- Its first day.
  month date primary key,
  -- Sealed; null: ended, as are all before it. Nothing finds or makes its words any more.
  key text
);

-- Positions: up to which id everything that a table has, or may still get, has its words. Each moves in the transaction of the
-- words; the holder of the lease alone writes.
create table search_positions (
  source text primary key,
  position uuid not null default '00000000-0000-0000-0000-000000000000',
  -- Raised when all is made again: what a node remembers of the generation before counts no more.
  generation bigint not null default 1,
  holder uuid,
  expires_at timestamptz not null default '-infinity'
);
insert into search_positions (source) values ('accepted_requests');

create or replace function partitioned_by(parent text) returns text language sql immutable strict as $$
  select case parent when 'accepted_requests' then 'id' when 'rejected_requests' then 'id' when 'entries' then 'journal_id'
    when 'hold_events' then 'hold_id' when 'closed_holds' then 'id' when 'delivery_attempts' then 'outbox_id'
    when 'search_words' then 'record' end
$$;

-- As in 0006-partitions.sql, and for words of records, whose time is in their ids.
create or replace function drop_partitions(parent text, until_time timestamptz) returns int
  language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  old text;
  dropped int := 0;
  is_before text := case parent
    when 'rejected_requests' then format('rejected_at < %L', until_time)
    when 'delivery_attempts' then format('at < %L', until_time)
    when 'search_words' then format('record < %L', id_at(until_time)) end;
begin
  if is_before is null or until_time > clock_timestamp() - interval '7 days' then
    raise exception 'not to be dropped: % until %', parent, until_time using errcode = 'invalid_parameter_value';
  end if;
  for old in select p.name from partitions p where p.parent = drop_partitions.parent and p.to_id <= id_at(until_time) order by p.to_id loop
    execute format('drop table %I', old);
    dropped := dropped + 1;
  end loop;
  execute format('delete from %1$I where ctid = any(array(select ctid from %1$I where %2$s limit 10000))',
    parent || '_default', is_before);
  return dropped;
end $$;

-- The default partition, and the periods that accepted requests have, as far as the service may drop them.
do $$
declare
  period record;
begin
  perform create_like_parent('search_words', 'search_words_default');
  alter table search_words attach partition search_words_default default;
  for period in select from_id, to_id from partitions where parent = 'accepted_requests' and not is_default order by from_id loop
    perform make_partition('search_words', time_of(period.from_id), time_of(period.to_id));
  end loop;
end $$;
