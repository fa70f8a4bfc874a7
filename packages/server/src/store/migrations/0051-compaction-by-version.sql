-- As in 0009-compaction.sql, by another column: the service's role has no right on an account's name any more.

-- Moves an account that is on this page to a page with free space, without a change: versions of this transaction fill its page,
-- so that the next one goes elsewhere. It locks this row alone, and for a millisecond or so. False: no page before was free.
create or replace function move_account(account uuid, page bigint) returns boolean language plpgsql set lock_timeout = '100ms' as $$
declare
  place tid;
begin
  -- Those who wait for the row wait for no disk. Nothing is lost with it: no value changes.
  set local synchronous_commit = off;
  select ctid into place from accounts where id = account for no key update;
  if page_of(place) <> page then return true; end if; -- a batch has moved it: the next look finds it
  while page_of(place) = page loop
    update accounts set version = version where ctid = place returning ctid into place;
  end loop;
  return page_of(place) < page;
end $$;
