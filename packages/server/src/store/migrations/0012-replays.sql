-- Replays of notifications (spec D14): what a notification was before its newest one. Null: it was never replayed, so that one
-- that waits is still on its first way to the partner; or it was replayed by the release before this one.
alter table outbox add column state_before_replay text;
alter table outbox add constraint outbox_state_before_replay
  check (state_before_replay in ('delivered', 'dead', 'kept')) not valid;
