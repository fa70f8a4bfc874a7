-- Addresses of kept calls (ADR 0076): where a call came from stands beside its record, written by the job that keeps it, behind the
-- answer. No row is written anew; nodes of the release before keep calls without one.

-- Of the caller, behind trusted proxies; null: of inquiries, and where its socket was gone.
alter table kept_calls add column address inet;
