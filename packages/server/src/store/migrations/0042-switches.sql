-- Switches: what operators close at once and open again (docs/adr/0081-acts-at-once.md).

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Closed by an operator: a rail, a service by its code, or all that takes writes.
create table switches (
  name text primary key check (name in ('intake', 'rail:interbank', 'rail:rtgs', 'rail:skn', 'service:17', 'service:18', 'service:19',
    'service:20', 'service:22', 'service:23', 'service:63')),
  act_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  -- By the database's clock.
  closed_at timestamptz not null
);

insert into act_kinds (kind, effect, at_once, apply, undo) values
  ('closing', 'data', true, 'close_switch', 'open_switch_of'), ('reopening', 'data', false, 'open_switch', null);
insert into act_rights (kind, step, role) values
  ('closing', 'proposed', 'operator'), ('closing', 'proposed', 'approver'), ('closing', 'approved', 'approver'),
  ('reopening', 'proposed', 'operator'), ('reopening', 'approved', 'approver');

create function close_switch(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  insert into switches (name, act_id, reason, closed_at) values (act.target, act.act_id, act.reason, act.at)
    on conflict (name) do nothing;
  if not found then
    raise exception '% is closed already', act.target using errcode = 'restrict_violation';
  end if;
  perform bump_reference_version();
  return '{}';
end $$;

-- What was closed by another act since stays closed.
create function open_switch_of(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  delete from switches where name = act.target and act_id = act.act_id;
  if found then perform bump_reference_version(); end if;
  return '{}';
end $$;

create function open_switch(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  -- Another closing may have come since: it is not what was approved.
  delete from switches where name = act.target and act_id::text = act.after ->> 'closing';
  if not found then
    raise exception '% is not closed by the act % any more', act.target, act.after ->> 'closing' using errcode = 'restrict_violation';
  end if;
  perform bump_reference_version();
  return '{}';
end $$;

revoke execute on function close_switch, open_switch_of, open_switch from public;
