-- concurrent
-- Transfers whose results arrive together are settled by one journal, which each of them names.
create index concurrently if not exists transfers_by_resolution on transfers (resolution_journal_id) where resolution_journal_id is not null;
drop index concurrently if exists transfers_by_resolution_journal;
