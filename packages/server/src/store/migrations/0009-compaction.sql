-- Compaction of accounts (docs/database-growth.md): while a snapshot stays open, each balance that changes leaves a version that
-- cannot be removed. The table grows by them, and afterwards the accounts that change most are on its last pages for good.

create function page_of(place tid) returns bigint language sql immutable strict as $$
  select (place::text::point)[0]::bigint
$$;

-- Moves an account that is on this page to a page with free space, without a change: versions of this transaction fill its page,
-- so that the next one goes elsewhere. It locks this row alone, and for a millisecond or so. False: no page before was free.
create function move_account(account uuid, page bigint) returns boolean language plpgsql set lock_timeout = '100ms' as $$
declare
  place tid;
begin
  -- Those who wait for the row wait for no disk. Nothing is lost with it: no value changes.
  set local synchronous_commit = off;
  select ctid into place from accounts where id = account for no key update;
  if page_of(place) <> page then return true; end if; -- a batch has moved it: the next look finds it
  while page_of(place) = page loop
    update accounts set name = name where ctid = place returning ctid into place;
  end loop;
  return page_of(place) < page;
end $$;
