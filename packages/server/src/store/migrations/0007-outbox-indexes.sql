-- concurrent
-- What waits, by partner and time; what was not delivered; and the outbox by partner, and by time for replays.
create index concurrently if not exists outbox_waiting on outbox (partner, (coalesce(next_attempt_at, created_at)), id)
  where state = 'waiting';
create index concurrently if not exists outbox_dead on outbox (partner, id) where state in ('dead', 'kept');
create index concurrently if not exists outbox_by_partner on outbox (partner, id);
create index concurrently if not exists outbox_created on outbox using brin (created_at);
