-- breaking
-- Once accepted, external id and number stay taken, whatever becomes of the transfer (decision D7): a refusal by the rail
-- within the call no longer frees them. An external id is given up only to its next use, after its window.
alter table transfers rename column within_call to resolved_synchronously;

-- Transfers that had been undone become what they would be now: refused ones that keep their external id, where nobody
-- uses it, and no recorded refusal beside them. Their number may be another's by now, so theirs becomes one that leads
-- nowhere.
drop trigger writes_keys_kept on writes;
delete from refusals r using writes w where w.id = r.id and w.number_key is null;
with freed as (
  select distinct on (partner, external_id) id, encode(substr(sha256(convert_to(
    concat_ws(E'\x1f', partner::text, 'x', external_id), 'UTF8')), 1, 16), 'hex')::uuid as key
  from writes where number_key is null order by partner, external_id, at desc, id desc)
update writes w set external_key = freed.key from freed
  where w.id = freed.id and not exists (select from writes n where n.external_key = freed.key);
update writes set number_key = id where number_key is null;
alter table writes alter column number_key set not null;

-- The numbers of captures, voids and refunds count within their hold: its reference goes before the number.
create function number_key_of_hold(partner uuid, service smallint, facts text) returns uuid language sql immutable as $$
  select encode(substr(sha256(convert_to(concat_ws(E'\x1f', partner::text, 'n', service::text,
    facts::json #>> array['request', case service when 69 then 'originalPartnerReferenceNo' else 'originalReferenceNo' end],
    facts::json #>> array['request', case service when 65 then 'partnerCaptureNo' when 67 then 'partnerVoidNo'
      else 'partnerRefundNo' end]), 'UTF8')), 1, 16), 'hex')::uuid
$$;
update writes set number_key = number_key_of_hold(partner, service, facts) where service in (65, 67, 69);
update refusals set number_key = number_key_of_hold(partner, service, facts) where service in (65, 67, 69);
drop function number_key_of_hold;


create trigger writes_keys_kept before update on writes
  for each row when (new.number_key <> old.number_key
    or coalesce(new.external_key <> old.external_key, new.external_key is not null and old.external_key is null))
  execute function refuse_other_key();

-- Sends are ordered by their X-TIMESTAMP (decision D7). What was refused before this was recorded counts as sent long ago:
-- no older call can arrive any more once its time window has passed.
alter table refusals add column sent_at timestamptz not null default 'epoch';
