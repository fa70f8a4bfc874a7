-- Kept calls: what a record shows of the calls that touched it. A job writes them behind the answers, from what a node remembers
-- of each (ADR 0072); no commit of a request writes one. Units as in 0001-ledger.sql.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- The columns stand in the order that leaves no room between them: it is a row a transfer.
create table kept_calls (
  -- X-CORRELATION-ID of its answer, 16 hex digits; of inquiries that of the last one.
  correlation bigint not null,
  -- Business time at which its head was read; of inquiries of the last one.
  at timestamptz not null,
  -- Id of the accepted request that it made, changed, repeated or asked about; else an id of its own.
  record uuid not null,
  -- Response code, seven digits.
  code int not null,
  -- Count of answered inquiries of the record, which are one row; null: one call.
  inquiries int,
  -- Its partner, where no record says it.
  partner uuid,
  -- Key of the partner's number that it names and no accepted request had; as in request_keys.
  number uuid,
  -- Body of a rejected call, without secrets, sealed under the month's key of the search; ending that erases it.
  body text
) partition by range (record);

create index kept_calls_record on kept_calls (record);
create unique index kept_calls_inquiries on kept_calls (record) where inquiries is not null;
create index kept_calls_correlation on kept_calls (correlation);
create index kept_calls_number on kept_calls (number) where number is not null;

create or replace function partitioned_by(parent text) returns text language sql immutable strict as $$
  select case parent when 'accepted_requests' then 'id' when 'rejected_requests' then 'id' when 'entries' then 'journal_id'
    when 'hold_events' then 'hold_id' when 'closed_holds' then 'id' when 'delivery_attempts' then 'outbox_id'
    when 'search_words' then 'record' when 'kept_calls' then 'record' end
$$;

-- As in 0032-search.sql, and for kept calls, whose time is that of their records.
create or replace function drop_partitions(parent text, until_time timestamptz) returns int
  language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  old text;
  dropped int := 0;
  is_before text := case parent
    when 'rejected_requests' then format('rejected_at < %L', until_time)
    when 'delivery_attempts' then format('at < %L', until_time)
    when 'search_words' then format('record < %L', id_at(until_time))
    when 'kept_calls' then format('record < %L', id_at(until_time)) end;
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

-- The default partition, and the periods that accepted requests have from the last one on: what comes is about new records, and
-- the few calls about older ones find room in the default partition.
do $$
declare
  period record;
begin
  perform create_like_parent('kept_calls', 'kept_calls_default');
  alter table kept_calls attach partition kept_calls_default default;
  for period in select from_id, to_id from partitions where parent = 'accepted_requests' and not is_default
      and to_id > id_at(clock_timestamp() - interval '7 days') order by from_id loop
    perform make_partition('kept_calls', time_of(period.from_id), time_of(period.to_id));
  end loop;
end $$;
