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

-- As in 0034-operators-acts.sql, and: whoever forgets a transaction gives the chain back.
create or replace function lock_act_chain() returns void language plpgsql set search_path from current as $$
begin
  perform set_config('idle_in_transaction_session_timeout', '5s', true);
  perform from act_chain for update;
end $$;

-- Ends what was done at once and waits for its approval, where an approved act undoes it. The caller has the chain's lock.
create function supersede_acts(old_kind text, by_act act_steps, said jsonb) returns void language plpgsql set search_path from current as $$
declare
  old act_steps;
  added act_steps;
begin
  for old in select s.* from open_acts o join act_steps s on s.act_id = o.act_id and s.step = 'proposed'
      where (o.kind, o.target) = (old_kind, by_act.target) and s.after @> said loop
    added := null;
    added.act_id := old.act_id;
    added.step := 'refused';
    added.who := 'titian';
    added.reason := 'undone by the act ' || by_act.act_id;
    added.proposer := old.who;
    perform add_act_step(added);
    delete from open_acts where act_id = old.act_id;
  end loop;
end $$;

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
  perform supersede_acts('closing', act, '{}');
  perform bump_reference_version();
  return '{}';
end $$;

revoke execute on function supersede_acts, close_switch, open_switch_of, open_switch from public;
