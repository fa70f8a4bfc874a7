-- Operators and their roles by acts (docs/adr/0083-operators-by-acts.md): an operator is added, and gets a role, by two others; a role is
-- taken away, and an operator ended, at once.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

insert into act_kinds (kind, effect, at_once, apply, undo) values
  ('operatorAddition', 'data', false, 'add_operator_by_act', null),
  ('roleGrant', 'data', false, 'grant_role_by_act', null),
  ('roleRemoval', 'data', true, 'remove_role_by_act', 'restore_role'),
  ('operatorEnding', 'data', true, 'end_operator_by_act', 'restore_operator');
insert into act_rights (kind, step, role) values
  ('operatorAddition', 'proposed', 'security'), ('operatorAddition', 'approved', 'approver'),
  ('roleGrant', 'proposed', 'security'), ('roleGrant', 'approved', 'approver'),
  ('roleRemoval', 'proposed', 'security'), ('roleRemoval', 'approved', 'approver'),
  ('operatorEnding', 'proposed', 'security'), ('operatorEnding', 'proposed', 'approver'), ('operatorEnding', 'approved', 'approver');

-- The operator that an act is about. Nobody raises his own rights. Acts are done one after the other, by the chain's lock.
create function operator_of_act(act act_steps) returns operators language plpgsql set search_path from current as $$
declare
  known operators;
begin
  select * into known from operators o where o.id::text = act.target;
  if not found then
    raise exception 'there is no operator %', act.target using errcode = 'restrict_violation';
  end if;
  if exists (select from act_steps s where s.act_id = act.act_id and s.step in ('proposed', 'approved', 'refused')
      and s.who = known.issuer || ' ' || known.subject) then
    raise exception 'an act on an operator is proposed and approved by others' using errcode = 'restrict_violation';
  end if;
  return known;
end $$;

-- Without both of them no act is proposed or approved any more; nor does anybody else decide on an approver's own act.
create function check_operators_left(act act_steps) returns void language plpgsql set search_path from current as $$
declare
  wanted text;
begin
  foreach wanted in array array['security', 'approver'] loop
    if not exists (select from operators o join operator_roles h on h.operator_id = o.id 
        where o.ended_at is null and h.role = wanted and (wanted <> 'approver' or o.issuer || ' ' || o.subject <> act.who)) then
      raise exception 'nobody else has the role %', wanted using errcode = 'restrict_violation';
    end if;
  end loop;
end $$;

create function add_operator_by_act(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  if not exists (select from operators) then
    raise exception 'the first operators are named by titian operators bootstrap' using errcode = 'restrict_violation';
  end if;
  if exists (select from act_steps s where s.act_id = act.act_id and s.step in ('proposed', 'approved')
      and s.who = (act.after ->> 'issuer') || ' ' || (act.after ->> 'subject')) then
    raise exception 'an act on an operator is proposed and approved by others' using errcode = 'restrict_violation';
  end if;
  if length(act.after ->> 'databaseRole') > 63 then
    raise exception 'a role of PostgreSQL has at most 63 characters' using errcode = 'restrict_violation';
  end if;
  insert into operators (id, issuer, subject, name, database_role) values (act.target::uuid, act.after ->> 'issuer',
    act.after ->> 'subject', act.after ->> 'name', act.after ->> 'databaseRole');
  insert into operator_roles (operator_id, role) select act.target::uuid, value from jsonb_array_elements_text(act.after -> 'roles');
  return '{}';
end $$;

create function grant_role_by_act(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  if (operator_of_act(act)).ended_at is not null then
    raise exception 'the operator has ended' using errcode = 'restrict_violation';
  end if;
  insert into operator_roles (operator_id, role) values (act.target::uuid, act.after ->> 'role') on conflict do nothing;
  perform supersede_acts('roleRemoval', act, jsonb_build_object('role', act.after -> 'role'));
  return '{}';
end $$;

create function remove_role_by_act(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  perform operator_of_act(act);
  delete from operator_roles where operator_id = act.target::uuid and role = act.after ->> 'role';
  if not found then
    raise exception 'the operator has no role %', act.after ->> 'role' using errcode = 'restrict_violation';
  end if;
  perform check_operators_left(act);
  return '{}';
end $$;

create function restore_role(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  perform operator_of_act(act);
  insert into operator_roles (operator_id, role) values (act.target::uuid, act.after ->> 'role') on conflict do nothing;
  return '{}';
end $$;

create function end_operator_by_act(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  if (operator_of_act(act)).ended_at is not null then
    raise exception 'the operator has ended already' using errcode = 'restrict_violation';
  end if;
  update operators set ended_at = act.at where id = act.target::uuid;
  -- Restored, he or she logs in anew.
  update operator_sessions set ended_at = act.at, who_ended = act.who where operator_id = act.target::uuid and ended_at is null;
  perform check_operators_left(act);
  return '{}';
end $$;

create function restore_operator(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  update operators set ended_at = null where id = act.target::uuid and ended_at = act.at;
  return '{}';
end $$;

revoke execute on function operator_of_act, check_operators_left, add_operator_by_act, grant_role_by_act, remove_role_by_act, restore_role,
  end_operator_by_act, restore_operator from public;
