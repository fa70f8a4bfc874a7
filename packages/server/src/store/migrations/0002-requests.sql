-- Requests: the keys that repeats are found by, what was accepted, and what was rejected (spec D7).

-- Request keys: which request has an external id or a partner's number. A key below 8000... is the hash of partner and
-- external id, and is given up after its window; one from there on is the hash of partner, service and the partner's own
-- number (of a capture, void or refund also of its hold's reference), and is never given up. Numbers that grow are
-- neighbours (engine/batch/idempotency-keys.ts). Of eight equal ranges, so that no table or index grows without bound, and
-- what is given up leaves no gaps among what is not.
create table request_keys (
  key uuid primary key,
  -- Of the accepted request.
  request_id uuid not null
) partition by range (key);

create table request_keys_0 partition of request_keys for values from (minvalue) to ('20000000-0000-0000-0000-000000000000');
create table request_keys_2 partition of request_keys for values from ('20000000-0000-0000-0000-000000000000') to ('40000000-0000-0000-0000-000000000000');
create table request_keys_4 partition of request_keys for values from ('40000000-0000-0000-0000-000000000000') to ('60000000-0000-0000-0000-000000000000');
create table request_keys_6 partition of request_keys for values from ('60000000-0000-0000-0000-000000000000') to ('80000000-0000-0000-0000-000000000000');
create table request_keys_8 partition of request_keys for values from ('80000000-0000-0000-0000-000000000000') to ('a0000000-0000-0000-0000-000000000000');
create table request_keys_a partition of request_keys for values from ('a0000000-0000-0000-0000-000000000000') to ('c0000000-0000-0000-0000-000000000000');
create table request_keys_c partition of request_keys for values from ('c0000000-0000-0000-0000-000000000000') to ('e0000000-0000-0000-0000-000000000000');
create table request_keys_e partition of request_keys for values from ('e0000000-0000-0000-0000-000000000000') to (maxvalue);

-- A key is added, or given up where it may be: it never leads to another request by a change.
create function reject_key_change() returns trigger language plpgsql as $$
begin
  raise exception 'a key of an accepted request is never changed, and a number never given up' using errcode = 'restrict_violation';
end $$;

create trigger request_keys_unchanged before update or truncate on request_keys
  for each statement execute function reject_key_change();
create trigger request_keys_of_numbers_kept before delete on request_keys
  for each row when (old.key >= '80000000-0000-0000-0000-000000000000') execute function reject_key_change();

-- Accepted requests: one row for each, of any service; its id is the command's and the journal's. Never changed or deleted.
-- In partitions (0006-partitions.sql).
create table accepted_requests (
  id uuid primary key,
  partner uuid not null,
  -- Service code.
  service smallint not null,
  -- Keys of its external id and of its number; an item of a bulk has the number alone.
  external_id_key uuid,
  partner_reference_key uuid not null,
  -- First 16 bytes of the SHA-256 of the minified body; a copy of a request has the same.
  body_hash uuid not null,
  -- Hash of what was requested, without what a repeat may vary.
  request_fingerprint uuid not null,
  external_id text not null,
  -- JSON text: the request, and what its response is rebuilt from.
  payload text not null,
  -- `additionalInfo` and the like as received, packed.
  additional_info text,
  accepted_at timestamptz not null
) partition by range (id);

create function reject_request_change() returns trigger language plpgsql as $$
begin
  raise exception 'accepted requests are never changed or deleted' using errcode = 'restrict_violation';
end $$;

create trigger accepted_requests_immutable before update or delete or truncate on accepted_requests
  for each statement execute function reject_request_change();

-- Rejected requests (step 14 of the checks): a copy gets its rejection again, and a query shows the attempt. In partitions
-- (0006-partitions.sql), which are dropped after a while.
create table rejected_requests (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  external_id_key uuid not null,
  partner_reference_key uuid not null,
  signature_key uuid not null,
  -- Why: a `RejectionKind`; field: which one of the request, where it is one.
  kind text not null,
  field text,
  payload text not null,
  rejected_at timestamptz not null,
  -- X-TIMESTAMP of the request: requests of one external id are ordered by it.
  sent_at timestamptz not null
) partition by range (id);

create index rejected_requests_external_id on rejected_requests (external_id_key, sent_at);
create index rejected_requests_partner_reference on rejected_requests (partner_reference_key);
-- With the id, by which partitions are left alone: no plan prefers a range of ids.
create index rejected_requests_signature on rejected_requests (signature_key, id);
