-- Break-glass (docs/adr/0085-roles-of-jobs-and-break-glass.md): while nobody can log in, a role whose password is sealed opens a session of 30
-- minutes in the name of an operator. It is an act that is done at once, and such a session proposes, but approves nothing.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Session: only open_break_glass_session proposes it.
alter table act_kinds drop constraint act_kinds_effect_check, drop constraint act_kinds_at_once;
alter table act_kinds add constraint act_kinds_effect_check check (effect in ('money', 'data', 'reading', 'session')),
  add constraint act_kinds_at_once check (not at_once or effect in ('data', 'session'));
insert into act_kinds (kind, effect, at_once, undo) values ('breakGlass', 'session', true, 'end_break_glass');
-- Proposed: whose name a session may have.
insert into act_rights (kind, step, role) values ('breakGlass', 'proposed', 'operator'), ('breakGlass', 'proposed', 'approver'),
  ('breakGlass', 'proposed', 'security'), ('breakGlass', 'approved', 'approver');

-- The act by which a session was opened without the identity provider.
alter table operator_sessions add column act_id uuid;
alter table operator_sessions drop constraint operator_sessions_came_by_check;
alter table operator_sessions
  add constraint operator_sessions_came_by_check check (came_by in ('console', 'cli', 'breakGlass')),
  add constraint operator_sessions_act check ((came_by = 'breakGlass') = (act_id is not null)),
  add constraint operator_sessions_break_glass check (act_id is null or expires_at <= started_at + interval '30 minutes');

-- As in 0034-operators-acts.sql, and: what is proposed in such a session names it.
create or replace function add_act_step(s act_steps) returns void language plpgsql set search_path from current as $$
declare
  last act_chain;
  opened_by uuid;
begin
  select * into strict last from act_chain;
  if s.step = 'proposed' and is_operator_door() then opened_by := (act_session()).act_id; end if;
  if opened_by is not null then s.reason := left('break-glass ' || opened_by || ': ' || s.reason, 500); end if;
  s.position := last.position + 1;
  s.previous := last.hash;
  s.at := clock_timestamp();
  s.hash := act_step_hash(s);
  insert into act_steps select s.*;
  update act_chain set position = s.position, hash = s.hash;
end $$;

-- As in 0038-operator-sessions.sql, and: whoever has the sealed password could be the proposer, or put others out.
create or replace function check_act_right(who text, of_kind text, of_step text) returns void language plpgsql stable
  set search_path from current as $$
declare
  wanted text;
  needs_factor boolean;
begin
  select string_agg(role, ' or ' order by role) into wanted from act_rights where (kind, step) = (of_kind, of_step);
  if wanted is null then
    raise exception 'there is no act of the kind %', of_kind using errcode = 'invalid_parameter_value';
  end if;
  if act_approver_instead() is not null then return; end if;
  if is_operator_door() and (act_session()).act_id is not null
      and (of_step = 'approved' or of_kind in ('roleRemoval', 'operatorEnding')) then
    raise exception 'a session of break-glass approves and refuses nothing, and takes no operator''s rights'
      using errcode = 'insufficient_privilege';
  end if;
  select bool_and(coalesce(r.needs_second_factor, of_step = 'approved' and not k.at_once)) into needs_factor
    from act_rights r join act_kinds k using (kind) join operator_roles h using (role) join operators o on o.id = h.operator_id
    where (r.kind, r.step) = (of_kind, of_step) and o.issuer || ' ' || o.subject = who and o.ended_at is null;
  if needs_factor is null then
    raise exception 'an act of the kind % is % by the role %', of_kind, of_step, wanted using errcode = 'insufficient_privilege';
  end if;
  -- At the database's own door the directory authenticates.
  if needs_factor and is_operator_door() and not (act_session()).has_second_factor then
    raise exception 'an act of the kind % is % with a second factor: log in with one', of_kind, of_step
      using errcode = 'insufficient_privilege';
  end if;
end $$;

-- `named`: id or subject of an operator. The session is used at a door, as any other; the database has the SHA-256 of its secret.
create function open_break_glass_session(named text, its_hash bytea, why text, for_ticket text, out opened_session uuid, out its_act uuid,
    out whose text, out until_time timestamptz)
  language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  of_operator operators;
  added act_steps;
  at timestamptz;
  from_address text := coalesce(host(inet_client_addr()), 'local');
begin
  if coalesce(why, '') = '' or coalesce(for_ticket, '') = '' or concat(why, for_ticket) ~ '[[:cntrl:]]' then
    raise exception 'a session of break-glass has a reason and a ticket, without control characters' using errcode = 'invalid_parameter_value';
  end if;
  perform lock_act_chain();
  if act_approver_instead() is not null then
    raise exception 'nobody is in charge of this database yet' using errcode = 'restrict_violation';
  end if;
  perform expire_open_acts();
  begin
    select * into strict of_operator from operators o where o.ended_at is null and named in (o.id::text, o.subject);
  exception when no_data_found or too_many_rows then
    raise exception 'no operator, or more than one, is called %', named using errcode = 'no_data_found';
  end;
  added.who := of_operator.issuer || ' ' || of_operator.subject;
  perform check_act_right(added.who, 'breakGlass', 'proposed');
  opened_session := gen_random_uuid();
  its_act := gen_random_uuid();
  whose := of_operator.name;
  at := clock_timestamp();
  until_time := at + interval '30 minutes';
  added.act_id := its_act;
  added.step := 'proposed';
  added.kind := 'breakGlass';
  added.target := of_operator.id::text;
  added.reference := opened_session::text;
  added.after := jsonb_build_object('sessionId', opened_session, 'openedBy', 'database ' || session_user, 'address', from_address);
  added.reason := why;
  added.ticket := for_ticket;
  added.expires_at := at + interval '1 day';
  perform add_act_step(added);
  insert into open_acts (act_id, kind, target, reference, state, expires_at)
    values (its_act, added.kind, added.target, added.reference, 'proposed', added.expires_at);
  insert into operator_sessions (id, operator_id, secret_hash, came_by, address, has_second_factor, started_at, last_used_at, expires_at, act_id)
    values (opened_session, of_operator.id, its_hash, 'breakGlass', from_address, false, at, at, until_time, its_act);
end $$;

-- An approver has refused the act.
create function end_break_glass(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  update operator_sessions s set ended_at = clock_timestamp(),
      who_ended = (select r.who from act_steps r where r.act_id = act.act_id and r.step = 'refused')
    where s.act_id = act.act_id and s.ended_at is null;
  return '{}';
end $$;

revoke execute on function open_break_glass_session, end_break_glass from public;
