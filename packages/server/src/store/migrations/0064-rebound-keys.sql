-- Keys of requests that are bound to another cell because the one before has accepted nothing for them (docs/adr/0100-rebound-keys.md).

-- The cell that it was bound to before bound_at: for a time it tells whether it has rejected what is sent again.
alter table bound_keys add column previous smallint check (previous between 0 and 255 and previous <> cell);

-- A number is bound anew only with its cell of before kept beside it, and is never given up.
drop trigger bound_numbers_kept on bound_keys;
create trigger bound_numbers_kept before delete on bound_keys
  for each row when (old.key >= '80000000-0000-0000-0000-000000000000') execute function reject_binding_change();
create trigger bound_numbers_rebound before update on bound_keys
  for each row when (old.key >= '80000000-0000-0000-0000-000000000000'
    and (new.key <> old.key or new.previous is distinct from old.cell)) execute function reject_binding_change();

-- A fence (basics/ids.ts: version 8) of an external id is no request that could be given up, or taken over, while a call of before may be late.
create trigger request_keys_fences_kept before delete on request_keys
  for each row when (get_byte(uuid_send(old.request_id), 6) >> 4 = 8
    and clock_timestamp() - to_timestamp(('x' || translate(left(old.request_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
      between interval '-1 minute' and interval '12 hours') execute function reject_key_change();
