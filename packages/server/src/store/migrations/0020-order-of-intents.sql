-- Sends of one number and content are ordered by X-TIMESTAMP, too (spec D7): hash of the content, as in accepted_requests.
-- Null: recorded by the release before, or earlier.
alter table rejected_requests add column request_fingerprint uuid;
