-- concurrent
-- A node reads what changed after the version it has, in pages of (version, id): a million merchants are never read whole.
create index concurrently if not exists partners_by_version on partners (version, id);
create index concurrently if not exists merchants_by_version on merchants (version, id);
