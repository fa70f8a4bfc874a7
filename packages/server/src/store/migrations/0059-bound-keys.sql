-- Keys of requests, each bound to the cell that decides about it, in home's database (docs/adr/0095-bound-keys.md); and the cells of
-- a partner among its settings. A further cell's own table of bound keys stays empty.

-- As in 0056-functions-in-their-schema.sql: functions look in the schema of the tables alone, and for temporary tables last.
select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Keys as in request_keys: below 8000... external ids, which are given up after their time, from there on numbers, which are not.
create table bound_keys (
  key uuid primary key,
  cell smallint not null check (cell between 0 and 255),
  -- Business time at which the cell got the key, or last renewed it.
  bound_at timestamptz not null
) partition by range (key);

create table bound_external_ids partition of bound_keys
  for values from (minvalue) to ('80000000-0000-0000-0000-000000000000');
create table bound_numbers partition of bound_keys
  for values from ('80000000-0000-0000-0000-000000000000') to (maxvalue);

create index bound_external_ids_age on bound_external_ids (bound_at, key);

create function reject_binding_change() returns trigger language plpgsql set search_path from current as $$
begin
  raise exception 'a number stays bound to its cell' using errcode = 'restrict_violation';
end $$;

create trigger bound_numbers_kept before update or delete on bound_keys
  for each row when (old.key >= '80000000-0000-0000-0000-000000000000') execute function reject_binding_change();
create trigger bound_keys_kept before truncate on bound_keys
  for each statement execute function reject_binding_change();

-- The cells that a partner has once an act is applied, the first it had first. One that is added to a partner takes calls 7 minutes later: no
-- node works with a copy of before for that long (staleAfterWithCellsMs of compose/core.ts, and its last calls).
create function partner_cells(known partners, settings jsonb) returns jsonb language plpgsql set search_path from current as $$
declare
  given jsonb := settings -> 'cells';
  has jsonb := case when known.id is not null then coalesce(known.settings::jsonb -> 'cells', '[{"cell": 0}]') else '[]' end;
  added jsonb;
begin
  if given is null then
    perform require_reference(known.settings::jsonb -> 'cells' is null, 'cells: one that it has stays');
    return null;
  end if;
  perform require_reference(jsonb_typeof(given) = 'array' and jsonb_array_length(given) between 1 and 8, 'cells');
  perform require_reference(not exists (select from jsonb_array_elements(given) one
    where (one -> 'cell' = '0' or one -> 'cell' in (select to_jsonb(number) from cells)) is not true), 'cell: home does not list it');
  perform require_reference((select count(distinct one -> 'cell') = count(*) from jsonb_array_elements(given) one), 'cell: it is given twice');
  perform require_reference(not exists (select from jsonb_array_elements(has) one
    where one -> 'cell' not in (select other -> 'cell' from jsonb_array_elements(given) other)), 'cells: one that it has stays');
  select jsonb_agg(case when known.id is null then jsonb_build_object('cell', one -> 'cell')
      else jsonb_build_object('cell', one -> 'cell', 'since', floor(extract(epoch from clock_timestamp()) * 1000)::bigint + 420000) end order by place)
    into added from jsonb_array_elements(given) with ordinality as of_given (one, place)
    where one -> 'cell' not in (select other -> 'cell' from jsonb_array_elements(has) other);
  -- Nodes of earlier releases, which bind no keys, end now and start no more.
  update migrations set breaking = true where number = 59;
  return has || coalesce(added, '[]');
end $$;

-- As in 0040-reference-acts.sql, with cells.
create or replace function check_partner_terms(terms jsonb) returns void language plpgsql set search_path from current as $$
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
    'notificationNetworks', 'notificationTlsMin', 'clientCertificates', 'tlsMin', 'cells'] = '{}', 'setting');
end $$;

-- As in 0040-reference-acts.sql, with cells.
create or replace function apply_partner(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  known partners;
  written partners;
  stamped bigint := bump_reference_version();
  kept json;
  of_cells jsonb;
begin
  perform check_partner_terms(act.after);
  select * into known from partners where partner_id = act.target;
  if act.before is distinct from (case when known.id is not null then partner_terms(known) end) then
    raise exception 'the partner was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  of_cells := partner_cells(known, act.after -> 'settings');
  kept := case when of_cells is null then act.after -> 'settings'
    else jsonb_set(act.after -> 'settings', '{cells}', of_cells) end;
  if known.id is null then
    perform require_reference(act.target ~ '^[!-~]{1,36}$', 'partner id');
    perform require_reference(act.after ->> 'clientKey' ~ '^[!-{}~]{1,64}$', 'client key');
    insert into partners (id, partner_id, client_key, name, status, signing, channel_id, settings, version, created_at, act_id)
      values ((act.after ->> 'id')::uuid, act.target, act.after ->> 'clientKey', act.after ->> 'name', 'active', act.after ->> 'signing',
        act.after ->> 'channelId', kept, stamped, act.at, act.act_id)
      returning * into written;
  else
    update partners set name = act.after ->> 'name', signing = act.after ->> 'signing', channel_id = act.after ->> 'channelId',
        settings = kept, version = stamped, act_id = act.act_id
      where id = known.id returning * into written;
  end if;
  perform write_credentials(written, act);
  return jsonb_build_object('partner', written.id);
end $$;

revoke execute on function reject_binding_change, partner_cells from public;
