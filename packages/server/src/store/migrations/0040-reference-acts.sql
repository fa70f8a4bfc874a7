-- Partners, credentials and merchants are written by operators' acts (docs/adr/0080-reference-data-by-acts.md): each kind has a function
-- that repeats what the commands have checked, writes its rows with the act's id, and bumps the version that nodes follow. No role has
-- rights on these tables but to read them.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- The act that wrote the row's terms, and the one that wrote a partner's status; null: an earlier release did, or no act has changed it.
alter table partners add column act_id uuid, add column status_act_id uuid;
alter table partner_credentials add column act_id uuid;
alter table merchants add column act_id uuid;
-- Business time from which the credential is good no more; null: it has no end.
alter table partner_credentials add column expires_at timestamptz;

alter table partners drop constraint partners_status_check;
alter table partners add constraint partners_status_check check (status in ('active', 'suspended', 'retired')) not valid;
alter table partners validate constraint partners_status_check;

-- Credentials as operators see them: none of a secret, and of a public key its SHA-256 (SPKI in DER).
create view shown_credentials as
  select id, partner, kind, created_at, expires_at, case kind when 'publicKey' then
      encode(sha256(decode(regexp_replace(value, '-----[A-Z ]+-----|\s', '', 'g'), 'base64')), 'hex') end as sha256
    from partner_credentials;

create function reject_retired_change() returns trigger language plpgsql as $$
begin
  raise exception 'partner % is retired for good', old.partner_id using errcode = 'restrict_violation';
end $$;
create trigger partners_retired before update on partners
  for each row when (old.status = 'retired') execute function reject_retired_change();

-- As in 0037-kinds-of-acts.sql, and: an act whose words are not of their types is rejected, too.
create or replace function run_act_function(function_name text, act act_steps) returns jsonb language plpgsql
  set search_path from current as $$
declare
  result jsonb;
begin
  execute format('select %I($1)', function_name) into result using act;
  return result;
exception when data_exception then
  raise exception 'the act cannot be read: %', sqlerrm using errcode = 'restrict_violation';
end $$;

-- Ends an act whose words no command of ours proposes.
create function require_reference(is_right boolean, field text) returns void language plpgsql as $$
begin
  if is_right is not true then
    raise exception 'no % of this kind is taken', field using errcode = 'restrict_violation';
  end if;
end $$;

create function is_line(text_of text, longest int) returns boolean language sql immutable as $$
  select length(text_of) between 1 and longest and text_of !~ '[[:cntrl:]]'
$$;

-- True when it is absent, or a number within these.
create function is_between(value jsonb, least_one numeric, largest numeric) returns boolean language sql immutable as $$
  select value is null or (jsonb_typeof(value) = 'number' and (value #>> '{}')::numeric between least_one and largest)
$$;

-- True when every element is a text of this shape.
create function are_texts(list jsonb, shape text) returns boolean language sql immutable as $$
  select jsonb_typeof(list) = 'array' and not jsonb_path_exists(list, '$[*] ? (@.type() != "string")')
    and not exists (select from jsonb_array_elements_text(list) one where one !~ shape)
$$;

create function partner_terms(p partners) returns jsonb language sql stable as $$
  select jsonb_build_object('name', p.name, 'signing', p.signing, 'channelId', p.channel_id, 'settings', p.settings::jsonb)
$$;

create function check_partner_terms(terms jsonb) returns void language plpgsql set search_path from current as $$
declare
  settings jsonb := terms -> 'settings';
  rate jsonb := terms #> '{settings,rateLimit}';
begin
  perform require_reference(is_line(terms ->> 'name', 100), 'name');
  perform require_reference(terms ->> 'signing' in ('symmetric', 'asymmetric'), 'signing');
  perform require_reference(is_between(settings -> 'channelIdLengthMax', 1, 36), 'length of channel ids');
  perform require_reference(terms ->> 'channelId' ~ '^[0-9A-Za-z]+$'
    and length(terms ->> 'channelId') <= coalesce((settings ->> 'channelIdLengthMax')::numeric, 5), 'channel id');
  perform require_reference(are_texts(settings -> 'services', '^[0-9]{2}$'), 'service');
  perform require_reference(are_texts(settings -> 'addresses', '^[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?(/[0-9]{1,3})?$'), 'address');
  perform require_reference(jsonb_typeof(settings -> 'acceptsMinifiedSignature') = 'boolean', 'signature');
  perform require_reference(settings ->> 'notificationSigning' in ('symmetric', 'asymmetric'), 'signing of notifications');
  perform require_reference(coalesce(settings ->> 'notificationSignedPath', 'service') = 'service', 'signed path');
  perform require_reference(coalesce(settings ->> 'notificationAddress', 'https://') ~ '^https?://[^[:cntrl:][:space:]]*$', 'notification address');
  perform require_reference(are_texts(coalesce(settings -> 'notificationNetworks', '[]'), '^private:[0-9A-Fa-f:.]+(/[0-9]{1,3})?$'), 'network');
  perform require_reference(are_texts(coalesce(settings -> 'clientCertificates', '[]'), '^[0-9a-f]{64}$'), 'client certificate');
  perform require_reference(coalesce(settings ->> 'notificationTlsMin', '1.2') = '1.2' and coalesce(settings ->> 'tlsMin', '1.2') = '1.2',
    'TLS version');
  perform require_reference(is_between(settings -> 'timestampWindowSeconds', 1, 3600), 'time window');
  perform require_reference(rate is null or coalesce((rate ->> 'perSecond')::numeric > 0 and is_between(rate -> 'perSecond', 0, 1000000)
    and rate ? 'burst' and is_between(rate -> 'burst', 1, 1000000), false), 'rate limit');
  perform require_reference(settings - array['services', 'addresses', 'rateLimit', 'acceptsMinifiedSignature', 'channelIdLengthMax',
    'timestampWindowSeconds', 'notificationSigning', 'notificationSignedPath', 'notificationAddress',
    'notificationNetworks', 'notificationTlsMin', 'clientCertificates', 'tlsMin'] = '{}', 'setting');
end $$;

-- Adds credentials; of a kind the newest two stay. Each partner has a public key that has no end, and a secret where it signs with one.
create function write_credentials(of_partner partners, act act_steps) returns void language plpgsql set search_path from current as $$
declare
  one jsonb;
  newest timestamptz;
begin
  for one in select jsonb_array_elements(coalesce(act.after -> 'end', '[]')) loop
    if one ->> 'expiresAt' is null then
      delete from partner_credentials where partner = of_partner.id and id = (one ->> 'id')::uuid;
    else
      update partner_credentials set expires_at = (one ->> 'expiresAt')::timestamptz
        where partner = of_partner.id and id = (one ->> 'id')::uuid;
    end if;
    if not found then
      raise exception 'the partner has no credential % any more', one ->> 'id' using errcode = 'restrict_violation';
    end if;
  end loop;
  select max(created_at) into newest from partner_credentials where partner = of_partner.id;
  for one in select jsonb_array_elements(coalesce(act.after -> 'credentials', '[]')) loop
    perform require_reference(length(one ->> 'value') <= 4000 and case one ->> 'kind'
      when 'secret' then one ->> 'value' ~ '^[12]\.[0-9a-f]{8}\.[\w-]+$'
      when 'publicKey' then one ->> 'value' ~ '^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+\n-----END PUBLIC KEY-----\n$' end, 'credential');
    insert into partner_credentials (id, partner, kind, value, created_at, act_id)
      values ((one ->> 'id')::uuid, of_partner.id, one ->> 'kind', one ->> 'value', greatest(act.at, newest), act.act_id);
  end loop;
  delete from partner_credentials where id in (
    select id from (select id, row_number() over (partition by kind order by created_at desc, id desc) as place
      from partner_credentials where partner = of_partner.id) placed where place > 2);
  if exists (select from unnest(array['publicKey', case of_partner.signing when 'symmetric' then 'secret' end]) needed
      where needed is not null and not exists (select from partner_credentials
        where partner = of_partner.id and kind = needed and expires_at is null)) then
    raise exception 'the partner would have no credential to sign with' using errcode = 'restrict_violation';
  end if;
end $$;

-- Adds a partner, or changes one that is as its proposer saw it.
create function apply_partner(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  known partners;
  written partners;
  stamped bigint := bump_reference_version();
begin
  perform check_partner_terms(act.after);
  select * into known from partners where partner_id = act.target;
  if act.before is distinct from (case when known.id is not null then partner_terms(known) end) then
    raise exception 'the partner was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  if known.id is null then
    perform require_reference(act.target ~ '^[!-~]{1,36}$', 'partner id');
    perform require_reference(act.after ->> 'clientKey' ~ '^[!-{}~]{1,64}$', 'client key');
    insert into partners (id, partner_id, client_key, name, status, signing, channel_id, settings, version, created_at, act_id)
      values ((act.after ->> 'id')::uuid, act.target, act.after ->> 'clientKey', act.after ->> 'name', 'active', act.after ->> 'signing',
        act.after ->> 'channelId', (act.after -> 'settings')::json, stamped, act.at, act.act_id)
      returning * into written;
  else
    update partners set name = act.after ->> 'name', signing = act.after ->> 'signing', channel_id = act.after ->> 'channelId',
        settings = (act.after -> 'settings')::json, version = stamped, act_id = act.act_id
      where id = known.id returning * into written;
  end if;
  perform write_credentials(written, act);
  return jsonb_build_object('partner', written.id);
end $$;

create function apply_partner_key(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  written partners;
begin
  update partners set version = bump_reference_version() where partner_id = act.target returning * into written;
  perform require_reference(written.id is not null, 'partner');
  perform write_credentials(written, act);
  return jsonb_build_object('partner', written.id);
end $$;

-- Suspended, active again, or retired, which ends its credentials.
create function apply_partner_status(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  written partners;
begin
  if act.after ->> 'status' is distinct from (case act.kind when 'partnerSuspension' then 'suspended' when 'partnerResumption' then 'active'
      when 'partnerRetirement' then 'retired' end) then
    raise exception 'an act of the kind % does not do this', act.kind using errcode = 'restrict_violation';
  end if;
  if act.kind = 'partnerResumption' and exists (select from open_acts where (kind, target) = ('partnerSuspension', act.target)) then
    raise exception 'the suspension waits for its approval: refuse that act' using errcode = 'restrict_violation';
  end if;
  update partners set status = act.after ->> 'status', status_act_id = act.act_id, version = bump_reference_version()
    where partner_id = act.target and status = act.before ->> 'status' and status <> act.after ->> 'status' returning * into written;
  if written.id is null then
    raise exception 'the partner was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  if written.status = 'retired' then delete from partner_credentials where partner = written.id; end if;
  return jsonb_build_object('partner', written.id);
end $$;

-- A suspension that was refused; nothing where another act has changed the status since.
create function undo_partner_suspension(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  update partners set status = 'active', version = bump_reference_version()
    where partner_id = act.target and status = 'suspended' and status_act_id = act.act_id;
  return jsonb_build_object('undone', found);
end $$;

create function merchant_terms(m merchants) returns jsonb language sql stable as $$
  select jsonb_build_object('name', m.name, 'status', m.status, 'settlementAccount', m.settlement_account_id,
    'payerAccount', m.payer_account_id, 'settings', m.settings::jsonb)
$$;

create function check_merchant_terms(terms jsonb) returns void language plpgsql set search_path from current as $$
declare
  settings jsonb := terms -> 'settings';
begin
  perform require_reference(is_line(terms ->> 'name', 100), 'name');
  perform require_reference(terms ->> 'status' in ('active', 'suspended'), 'status');
  perform require_reference(coalesce(settings ->> 'defaultHoldAmount', '1') ~ '^[1-9][0-9]{0,18}$', 'default hold amount');
  perform require_reference(coalesce(settings -> 'customerTokenRequired', 'true') = 'true', 'customer token');
  perform require_reference(is_between(settings -> 'holdSeconds', 60, 7776000), 'hold time');
  perform require_reference(is_between(settings -> 'refundDays', 30, 1825), 'refund time');
  perform require_reference(
    settings - array['defaultHoldAmount', 'customerTokenRequired', 'holdSeconds', 'refundDays'] = '{}', 'setting');
  -- Accounts of holders, of one currency.
  perform require_reference((select count(*) filter (where purpose = 'customer') = count(distinct id) and count(distinct currency) = 1
    and bool_or(id = (terms ->> 'settlementAccount')::uuid)
    and (terms ->> 'payerAccount' is null or bool_or(id = (terms ->> 'payerAccount')::uuid))
    from accounts where id in ((terms ->> 'settlementAccount')::uuid, (terms ->> 'payerAccount')::uuid)), 'account');
end $$;

-- Adds a merchant, or changes one that is as its proposer saw it.
create function apply_merchant(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  of_partner uuid;
  known merchants;
  stamped bigint := bump_reference_version();
  named uuid;
begin
  perform check_merchant_terms(act.after);
  select id into of_partner from partners where partner_id = act.target and status <> 'retired';
  perform require_reference(of_partner is not null, 'partner');
  perform require_reference(act.reference ~ '^[!-~]{1,64}$', 'merchant id');
  select * into known from merchants where (partner, merchant_id) = (of_partner, act.reference);
  if act.before is distinct from (case when known.id is not null then merchant_terms(known) end) then
    raise exception 'the merchant was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  named := coalesce(known.id, (act.after ->> 'id')::uuid);
  insert into merchants (id, partner, merchant_id, name, status, settlement_account_id, payer_account_id, settings, version, created_at, act_id)
    values (named, of_partner, act.reference, act.after ->> 'name', act.after ->> 'status', (act.after ->> 'settlementAccount')::uuid,
      (act.after ->> 'payerAccount')::uuid, (act.after -> 'settings')::json, stamped, act.at, act.act_id)
    on conflict (partner, merchant_id) do update set name = excluded.name, status = excluded.status,
      settlement_account_id = excluded.settlement_account_id, payer_account_id = excluded.payer_account_id,
      settings = excluded.settings, version = excluded.version, act_id = excluded.act_id;
  return jsonb_build_object('merchant', named);
end $$;

-- Takes a customer's consent back at once: what is left of the grants of a partner for an account ends, with their tokens. Its reference
-- begins with the partner's id.
create function apply_grant_revocation(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  ended int;
begin
  with gone as (
    delete from customer_grants where partner = (select id from partners where partner_id = split_part(act.reference, ' ', 1))
      and account_id = (select id from accounts where account_no = act.target) returning id)
  -- An access token lives for 15 days; one that is signed elsewhere at this moment lives a moment longer.
  insert into ended_grants (id, version, expires_at)
    select id, stamped, greatest((act.after ->> 'tokensExpireAt')::timestamptz, clock_timestamp() + interval '15 days 1 hour') from gone;
  get diagnostics ended = row_count;
  return jsonb_build_object('grants', ended);
end $$;

-- A consent that was taken back is not given again by a refusal: its tokens are gone.
create function keep_grants_revoked(act act_steps) returns jsonb language sql as $$
  select jsonb_build_object('undone', false)
$$;

insert into act_kinds (kind, effect, at_once, apply, undo) values
  ('partner', 'data', false, 'apply_partner', null),
  ('partnerKey', 'data', false, 'apply_partner_key', null),
  ('partnerSuspension', 'data', true, 'apply_partner_status', 'undo_partner_suspension'),
  ('partnerResumption', 'data', false, 'apply_partner_status', null),
  ('partnerRetirement', 'data', false, 'apply_partner_status', null),
  ('merchant', 'data', false, 'apply_merchant', null),
  ('grantRevocation', 'data', true, 'apply_grant_revocation', 'keep_grants_revoked');
insert into act_rights (kind, step, role)
  select kind, step, role from unnest(array['partner', 'partnerKey', 'partnerSuspension', 'partnerResumption', 'partnerRetirement',
      'merchant', 'grantRevocation']) kind,
    (values ('proposed', 'operator'), ('approved', 'approver')) steps (step, role);

revoke execute on function reject_retired_change, require_reference, is_line, is_between, are_texts, partner_terms, check_partner_terms,
  write_credentials, apply_partner, apply_partner_key, apply_partner_status, undo_partner_suspension, merchant_terms, check_merchant_terms,
  apply_merchant, apply_grant_revocation, keep_grants_revoked from public;
