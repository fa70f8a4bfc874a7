-- concurrent
-- What was not delivered, newest first: of one state, and of one state of a partner.
create index concurrently if not exists outbox_undelivered on outbox (state, id) where state in ('dead', 'kept');
create index concurrently if not exists outbox_undelivered_by_partner on outbox (partner, state, id)
  where state in ('dead', 'kept');
drop index concurrently if exists outbox_dead;
