-- concurrent
-- Live notifications and replays of a partner, each by when they are due: neither is behind the other. The release before goes on finding both in outbox_waiting.
create index concurrently if not exists outbox_waiting_in_turn on outbox (partner, (state_before_replay is not null), (greatest(next_attempt_at, created_at)), id) where state = 'waiting';
