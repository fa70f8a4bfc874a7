-- concurrent
-- Items in the order of their request, and those of them that were never submitted.
create unique index concurrently if not exists transfers_by_bulk on transfers (bulk_id, bulk_position)
  where bulk_id is not null;
create index concurrently if not exists transfers_unsubmitted on transfers (bulk_id, bulk_position)
  where bulk_id is not null and next_inquiry_at is null and is_open;
-- Each row is written anew at each of its changes, into every index that has it: none has what is not looked for in it.
-- An item is open only while its bulk is, which is found by its own index.
create unique index concurrently if not exists transfers_by_resolution_journal on transfers (resolution_journal_id)
  where resolution_journal_id is not null;
drop index concurrently if exists transfers_by_resolution;
create index concurrently if not exists transfers_open_of_source on transfers (source_account_id)
  where is_open and bulk_id is null;
drop index concurrently if exists transfers_open_by_source;
