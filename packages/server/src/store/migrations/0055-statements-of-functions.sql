-- Statements of functions without what a distributed engine rejects (docs/adr/0091-distributed-engines.md): times and versions are read before
-- an update or delete, and rows with a list are inserted from a select. Nothing else
-- changes, but that an undo which finds nothing raises the version as well.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- As in 0037-kinds-of-acts.sql.
create or replace function add_act_approval(of_act uuid, approver text, by text) returns void language plpgsql
  set search_path from current as $$
declare
  added act_steps;
  approved_at timestamptz;
begin
  added.act_id := of_act;
  added.step := 'approved';
  added.who := approver;
  added.proposer := by;
  perform add_act_step(added);
  approved_at := clock_timestamp();
  update open_acts set state = 'approved', since = approved_at where act_id = of_act;
  if exists (select from open_acts join act_kinds using (kind) where act_id = of_act and at_once) then
    perform end_act(of_act, 'done', '{}');
  end if;
end $$;

-- As in 0038-operator-sessions.sql.
create or replace function use_operator_session(its_hash bytea, is_use boolean) returns table (session_id uuid, operator_id uuid,
    issuer text, subject text, name text, roles text[], has_second_factor boolean, came_by text, expires_at timestamptz)
  language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
#variable_conflict use_column
declare
  used_id uuid;
  used_at timestamptz := clock_timestamp();
begin
  perform check_operator_door();
  used_id := (select s.id from find_open_session(its_hash) s);
  update operator_sessions s set last_used_at = used_at
    where is_use and s.id = used_id and s.last_used_at < used_at - interval '1 minute';
  return query select s.id, o.id, o.issuer, o.subject, o.name,
      array(select h.role from operator_roles h where h.operator_id = o.id order by h.role), s.has_second_factor, s.came_by, s.expires_at
    from find_open_session(its_hash) s join operators o on o.id = s.operator_id;
end $$;

-- As in 0038-operator-sessions.sql.
create or replace function end_operator_session(named uuid) returns boolean language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  actor text := act_operator();
  of_whom text;
  ended timestamptz := clock_timestamp();
begin
  select o.issuer || ' ' || o.subject into of_whom from operator_sessions s join operators o on o.id = s.operator_id where s.id = named;
  if not found then
    raise exception 'there is no session %', named using errcode = 'no_data_found';
  end if;
  if of_whom <> actor and not exists (select from operators o join operator_roles h on h.operator_id = o.id
      where o.issuer || ' ' || o.subject = actor and o.ended_at is null and h.role = 'security') then
    raise exception 'a session of somebody else is ended by the role security' using errcode = 'insufficient_privilege';
  end if;
  update operator_sessions set ended_at = ended, who_ended = actor where id = named and ended_at is null;
  return found;
end $$;

-- As in 0040-reference-acts.sql.
create or replace function apply_grant_revocation(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  ended int;
  -- An access token lives for 15 days; one that is signed elsewhere at this moment lives a moment longer.
  tokens_expire_at timestamptz := greatest((act.after ->> 'tokensExpireAt')::timestamptz, clock_timestamp() + interval '15 days 1 hour');
begin
  with gone as (
    delete from customer_grants where partner = (select id from partners where partner_id = split_part(act.reference, ' ', 1))
      and account_id = (select id from accounts where account_no = act.target) returning id)
  insert into ended_grants (id, version, expires_at) select id, stamped, tokens_expire_at from gone;
  get diagnostics ended = row_count;
  return jsonb_build_object('grants', ended);
end $$;

-- As in 0040-reference-acts.sql.
create or replace function apply_partner_key(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  written partners;
begin
  update partners set version = stamped where partner_id = act.target returning * into written;
  perform require_reference(written.id is not null, 'partner');
  perform write_credentials(written, act);
  return jsonb_build_object('partner', written.id);
end $$;

-- As in 0040-reference-acts.sql.
create or replace function apply_partner_status(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  written partners;
begin
  if act.after ->> 'status' is distinct from (case act.kind when 'partnerSuspension' then 'suspended' when 'partnerResumption' then 'active'
      when 'partnerRetirement' then 'retired' end) then
    raise exception 'an act of the kind % does not do this', act.kind using errcode = 'restrict_violation';
  end if;
  if act.kind = 'partnerResumption' and exists (select from open_acts where (kind, target) = ('partnerSuspension', act.target)) then
    raise exception 'the suspension waits for its approval: refuse that act' using errcode = 'restrict_violation';
  end if;
  update partners set status = act.after ->> 'status', status_act_id = act.act_id, version = stamped
    where partner_id = act.target and status = act.before ->> 'status' and status <> act.after ->> 'status' returning * into written;
  if written.id is null then
    raise exception 'the partner was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  if written.status = 'retired' then delete from partner_credentials where partner = written.id; end if;
  return jsonb_build_object('partner', written.id);
end $$;

-- As in 0040-reference-acts.sql.
create or replace function undo_partner_suspension(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
begin
  update partners set status = 'active', version = stamped
    where partner_id = act.target and status = 'suspended' and status_act_id = act.act_id;
  return jsonb_build_object('undone', found);
end $$;

-- As in 0048-merchants-and-consents.sql.
create or replace function apply_merchant_status(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  written uuid;
begin
  if act.after ->> 'status' is distinct from (case act.kind when 'merchantSuspension' then 'suspended'
      when 'merchantResumption' then 'active' end) then
    raise exception 'an act of the kind % does not do this', act.kind using errcode = 'restrict_violation';
  end if;
  if act.kind = 'merchantResumption'
      and exists (select from open_acts where (kind, target, reference) = ('merchantSuspension', act.target, act.reference)) then
    raise exception 'the suspension waits for its approval: refuse that act' using errcode = 'restrict_violation';
  end if;
  update merchants m set status = act.after ->> 'status', status_act_id = act.act_id, version = stamped
    from partners p where p.id = m.partner and p.partner_id = act.target and p.status <> 'retired' and m.merchant_id = act.reference
      and m.status = act.before ->> 'status' and m.status <> act.after ->> 'status' returning m.id into written;
  if written is null then
    raise exception 'the merchant was changed since the act was proposed' using errcode = 'restrict_violation';
  end if;
  return jsonb_build_object('merchant', written);
end $$;

-- As in 0048-merchants-and-consents.sql.
create or replace function undo_merchant_suspension(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
begin
  update merchants set status = 'active', version = stamped
    where status = 'suspended' and status_act_id = act.act_id;
  return jsonb_build_object('undone', found);
end $$;

-- As in 0045-openings-without-money.sql.
create or replace function open_account(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  terms jsonb := act.after;
begin
  if act.target !~ '^[0-9A-Za-z][0-9A-Za-z._-]{0,33}$' or coalesce(length(terms ->> 'name') not between 1 and 100, true)
      or coalesce(terms ->> 'currency' !~ '^[A-Z]{3}$', true) or coalesce(terms ->> 'type' not in ('D', 'S'), true)
      or coalesce(terms ->> 'status' not in ('active', 'dormant', 'blocked', 'closed'), true) then
    raise exception 'the act on account % cannot be read', act.target using errcode = 'restrict_violation';
  end if;
  insert into accounts (id, account_no, name, currency, purpose, type, status, authorized_partner_ids, minimum_balance,
      limit_per_transfer, limit_daily, limit_daily_count, opened_at)
    select act.reference::uuid, act.target, terms ->> 'name', terms ->> 'currency', 'customer', terms ->> 'type', terms ->> 'status',
      array(select jsonb_array_elements_text(terms -> 'partners')::uuid), 0, (terms #>> '{limits,perTransaction}')::bigint,
      (terms #>> '{limits,daily}')::bigint, (terms #>> '{limits,dailyCount}')::int, act.at;
  return '{}';
end $$;

-- As in 0049-break-glass.sql.
create or replace function end_break_glass(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  ended timestamptz := clock_timestamp();
  refuser text := (select r.who from act_steps r where r.act_id = act.act_id and r.step = 'refused');
begin
  update operator_sessions s set ended_at = ended, who_ended = refuser where s.act_id = act.act_id and s.ended_at is null;
  return '{}';
end $$;

-- As in 0050-pruned-sessions.sql.
create or replace function prune_operator_sessions(at_most int) returns int language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  pruned int;
  expired_before timestamptz := clock_timestamp() - interval '90 days';
begin
  delete from operator_sessions where id = any(array(
    select s.id from operator_sessions s where s.expires_at < expired_before limit least(at_most, 1000)));
  get diagnostics pruned = row_count;
  return pruned;
end $$;
