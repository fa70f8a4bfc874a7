-- concurrent
-- Items in the order of their request, and those of them that were never submitted.
create unique index concurrently if not exists transfers_by_bulk on transfers (bulk_id, bulk_position)
  where bulk_id is not null;
create index concurrently if not exists transfers_unsubmitted on transfers (bulk_id, bulk_position)
  where bulk_id is not null and next_inquiry_at is null and is_open;
