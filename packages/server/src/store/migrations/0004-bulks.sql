-- Bulks (service 20): many transfers over the interbank rail, accepted as a whole. Units as in 0001-baseline-ledger.sql.
-- An item is a row of `transfers`, with a row of its own in `accepted_requests`, whose key is the item's number.
create table bulks (
  -- That of the accepted request.
  id uuid primary key,
  partner uuid not null,
  source_account_id uuid not null,
  currency text not null,
  item_count int not null check (item_count > 0),
  -- Sum of the requested amounts, and of the fees.
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  -- Items by their results so far; one that was returned has settled before.
  settled_count int not null check (settled_count >= 0),
  rejected_count int not null check (rejected_count >= 0),
  returned_count int not null check (returned_count >= 0),
  -- Sums of rejected items, as above: both are back with the payer.
  rejected_amount bigint not null check (rejected_amount between 0 and amount),
  rejected_fee bigint not null check (rejected_fee between 0 and fee),
  -- Says that not all items have their results; changes only once.
  is_open boolean not null,
  -- When the last item had its result.
  ended_at timestamptz,
  -- Number of changes.
  version int not null,
  accepted_at timestamptz not null,
  constraint bulks_counts check (settled_count + rejected_count <= item_count and returned_count <= settled_count),
  constraint bulks_open check (is_open = (settled_count + rejected_count < item_count)),
  constraint bulks_ended check (is_open = (ended_at is null))
) with (fillfactor = 60);

create index bulks_open on bulks (id) where is_open;
create index bulks_open_by_source on bulks (source_account_id) where is_open;
create index bulks_by_partner on bulks (partner, id);

-- Of an item: its bulk, and its position in the request, from 0.
alter table transfers add column bulk_id uuid;
alter table transfers add column bulk_position int;
-- Null: an item that was never submitted; it has its turn in its bulk.
alter table transfers alter column next_inquiry_at drop not null;
alter table transfers add constraint transfers_bulk check ((bulk_id is null) = (bulk_position is null)) not valid;
alter table transfers add constraint transfers_inquiry check (next_inquiry_at is not null or bulk_id is not null) not valid;

-- An item's result is counted on its bulk in the same transaction. A node of an earlier release, which knows of no bulks,
-- can record none: its attempt fails, and a node of this one records it.
create function reject_uncounted_result() returns trigger language plpgsql as $$
begin
  if not exists (select from bulks where id = new.bulk_id and xmin = pg_current_xact_id()::xid) then
    raise exception 'the result of an item is not counted on its bulk'
      using errcode = 'check_violation', constraint = 'transfers_counted';
  end if;
  return new;
end $$;

create trigger transfers_counted before update on transfers for each row
  when (new.bulk_id is not null and (old.is_open <> new.is_open or (new.state = 'returned' and old.state <> new.state)))
  execute function reject_uncounted_result();
