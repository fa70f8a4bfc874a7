-- Until when a capture may be refunded (spec D10), as its merchant had it when it was made. Null: another event, or a capture by
-- a release before, which may be refunded for 365 days from its time on.
alter table hold_events add column refund_until timestamptz;
alter table hold_events add constraint hold_events_refund_until
  check (refund_until is null or (kind = 1 and refund_until > created_at)) not valid;
