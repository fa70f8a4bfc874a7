-- concurrent
-- Of the refusals of an external id the one that was sent last is looked up for each call: one row, however many there are.
create index concurrently if not exists refusals_external_sent on refusals (external_key, sent_at);
drop index concurrently if exists refusals_external;
