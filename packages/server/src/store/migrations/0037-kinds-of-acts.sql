-- Kinds of acts as rows: those that move money, which nodes carry out by their engine, and those that change other data, which a function
-- of the kind does in the database. Some are done at once, and approved within the day (docs/adr/0081-acts-at-once.md).

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

create table act_kinds (
  kind text primary key,
  effect text not null check (effect in ('money', 'data')),
  -- Done with its proposal. Not approved in time it stands, and an approver alone can end it.
  at_once boolean not null default false,
  -- Functions (act_steps) returns jsonb: what the act does, and what takes it back.
  apply text,
  undo text,
  constraint act_kinds_apply check ((effect = 'data') = (apply is not null)),
  constraint act_kinds_undo check (at_once = (undo is not null)),
  constraint act_kinds_at_once check (not at_once or effect = 'data')
);
insert into act_kinds (kind, effect) select kind, 'money' from unnest(array['opening', 'funding', 'resolution', 'return', 'adoption']) kind;

-- Nodes read reference data anew once its version has changed (0011-reference-version.sql).
create function bump_reference_version() returns bigint language sql set search_path from current as $$
  update reference_version set version = version + 1 where id = 1 returning version
$$;

create function run_act_function(function_name text, act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare result jsonb;
begin
  execute format('select %I($1)', function_name) into result using act;
  return result;
end $$;

-- Adds the last step of an act that moves no money. The caller has the chain's lock.
create function end_act(named uuid, came_out text, of_it jsonb) returns void language plpgsql set search_path from current as $$
declare added act_steps;
begin
  added.act_id := named;
  added.step := 'carried out';
  added.who := 'database ' || session_user;
  added.outcome := came_out;
  added.result := of_it;
  perform add_act_step(added);
  delete from open_acts where act_id = named;
end $$;

-- Carries out an approved act that moves no money, once, and answers its state; an act in another state stays as it is. Data that do not
-- permit it end it.
create function apply_act(named uuid) returns text language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  act act_steps; of_kind act_kinds; result jsonb;
begin
  perform lock_act_chain();
  select * into act from act_steps s where s.act_id = named and s.step = 'proposed';
  if not found then
    raise exception 'there is no act %', named using errcode = 'no_data_found';
  end if;
  if act_state(named) <> 'approved' then return act_state(named); end if;
  select * into of_kind from act_kinds k where k.kind = act.kind;
  if of_kind.effect is distinct from 'data' then
    raise exception 'an act of the kind % is carried out by a node', act.kind using errcode = 'restrict_violation';
  end if;
  begin
    result := run_act_function(of_kind.apply, act);
  exception when integrity_constraint_violation or data_exception or program_limit_exceeded then
    perform end_act(named, 'rejected', jsonb_build_object('found', sqlerrm));
    return 'rejected';
  end;
  perform end_act(named, 'done', result);
  return 'done';
end $$;

-- As in 0035-act-functions.sql, and: an act of a kind at once is done here.
create or replace function propose_act(new_id uuid, new_kind text, new_target text, new_reference text, is_before jsonb, shall_be jsonb,
    why text, for_ticket text, lifetime interval, out act_id uuid, out state text, out is_same boolean)
  language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  actor text; approver text;
  known act_steps; added act_steps; of_kind act_kinds;
begin
  if lifetime is null or lifetime <= '0' or lifetime > '7 days' then
    raise exception 'an act waits at most 7 days for its approval' using errcode = 'invalid_parameter_value';
  end if;
  if octet_length(concat(is_before, shall_be)) > 65536 then
    raise exception 'an act has at most 64 KiB of what is and what shall be' using errcode = 'invalid_parameter_value';
  end if;
  if concat_ws(' ', new_target, new_reference, why, for_ticket) ~ '[[:cntrl:]]' then
    raise exception 'an act has no control characters' using errcode = 'invalid_parameter_value';
  end if;
  -- Its approver is shown the target; a node moves the entries.
  if new_kind in ('opening', 'funding') and (coalesce(position(new_target || ' ' in shall_be ->> 'entries'), 0) = 0
      or coalesce(shall_be ->> 'accountNo', new_target) <> new_target) then
    raise exception 'the act on % is about another account', new_target using errcode = 'invalid_parameter_value';
  end if;
  perform lock_act_chain();
  -- Behind the lock, which whoever names the first operators has had.
  actor := act_operator();
  approver := act_approver_instead();
  perform check_act_right(actor, new_kind, 'proposed');
  select * into strict of_kind from act_kinds k where k.kind = new_kind;
  if of_kind.effect not in ('money', 'data') then
    raise exception 'an act of the kind % is not proposed', new_kind using errcode = 'invalid_parameter_value';
  end if;
  perform expire_open_acts();
  select * into known from act_steps s where s.step = 'proposed' and s.act_id = coalesce(
    (select p.act_id from act_steps p where p.act_id = new_id and p.step = 'proposed'),
    (select o.act_id from open_acts o where (o.kind, o.target, o.reference) = (new_kind, new_target, new_reference)));
  if found then
    act_id := known.act_id;
    state := act_state(known.act_id);
    is_same := (known.kind, known.target, known.reference, known.after) = (new_kind, new_target, new_reference, shall_be)
      and (not of_kind.at_once or known.act_id = new_id);
    return;
  end if;
  if why is null and approver is null then
    raise exception 'an act has a reason' using errcode = 'invalid_parameter_value';
  end if;
  added.act_id := new_id;
  added.step := 'proposed';
  added.who := actor;
  added.kind := new_kind;
  added.target := new_target;
  added.reference := new_reference;
  added.before := is_before;
  added.after := shall_be;
  added.reason := coalesce(why, new_kind || ' of ' || new_target);
  added.ticket := for_ticket;
  added.expires_at := clock_timestamp() + lifetime;
  perform add_act_step(added);
  insert into open_acts (act_id, kind, target, reference, state, expires_at)
    values (new_id, new_kind, new_target, new_reference, 'proposed', added.expires_at);
  if of_kind.at_once then
    select * into strict added from act_steps s where s.act_id = new_id and s.step = 'proposed';
    perform run_act_function(of_kind.apply, added);
  end if;
  if approver is not null then perform add_act_approval(new_id, approver, actor); end if;
  act_id := new_id;
  state := act_state(new_id);
  is_same := true;
end $$;

-- As in 0035-act-functions.sql, and: an act that was done at once is carried out by its approval.
create or replace function add_act_approval(of_act uuid, approver text, by text) returns void language plpgsql
  set search_path from current as $$
declare added act_steps;
begin
  added.act_id := of_act;
  added.step := 'approved';
  added.who := approver;
  added.proposer := by;
  perform add_act_step(added);
  update open_acts set state = 'approved', since = clock_timestamp() where act_id = of_act;
  if exists (select from open_acts join act_kinds using (kind) where act_id = of_act and at_once) then
    perform end_act(of_act, 'done', '{}');
  end if;
end $$;

-- Acts that nobody approved in time. Those that were done at once stand until an approver decides.
create function late_acts() returns setof open_acts language sql stable set search_path from current as $$
  select o.* from open_acts o left join act_kinds k using (kind)
    where o.state = 'proposed' and o.expires_at <= clock_timestamp() and k.at_once is not true
$$;

create or replace function expire_open_acts() returns int language plpgsql set search_path from current as $$
declare
  late open_acts;
  added act_steps;
  ended int := 0;
begin
  for late in select * from late_acts() order by act_id loop
    added := null;
    added.act_id := late.act_id;
    added.step := 'expired';
    added.who := 'titian';
    perform add_act_step(added);
    delete from open_acts where act_id = late.act_id;
    ended := ended + 1;
  end loop;
  return ended;
end $$;

create or replace function expire_acts() returns int language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
begin
  -- Nodes ask once a second, and mostly nothing is late.
  if not exists (select from late_acts()) then return 0; end if;
  perform lock_act_chain();
  return expire_open_acts();
end $$;

-- As in 0035-act-functions.sql, and: what was done at once is taken back by an approver's refusal, never by its proposer's.
create or replace function decide_act(named uuid, seen bytea, is_approved boolean, why text) returns text language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  actor text;
  known act_steps; added act_steps; of_kind act_kinds;
begin
  perform lock_act_chain();
  actor := act_operator();
  select * into known from act_steps s where s.act_id = named and s.step = 'proposed';
  if not found then
    raise exception 'there is no act %', named using errcode = 'no_data_found';
  end if;
  if seen is distinct from known.hash then
    raise exception 'the act is not the one that was read' using errcode = 'invalid_parameter_value';
  end if;
  select * into of_kind from act_kinds k where k.kind = known.kind;
  perform expire_open_acts();
  -- No node has carried it out: it is taken back.
  if not is_approved and act_state(named) = 'approved' then
    if known.who <> actor then perform check_act_right(actor, known.kind, 'approved'); end if;
    added.act_id := named;
    added.step := 'carried out';
    added.who := actor;
    added.outcome := 'rejected';
    added.result := jsonb_build_object('found', 'taken back: ' || why);
    perform add_act_step(added);
    delete from open_acts where act_id = named;
    return 'rejected';
  end if;
  if act_state(named) <> 'proposed' then return act_state(named); end if;
  if known.who = actor and is_approved then
    raise exception 'whoever proposes an act does not approve it' using errcode = 'insufficient_privilege';
  end if;
  if known.who = actor and of_kind.at_once then
    raise exception 'what was done at once is taken back by another operator' using errcode = 'insufficient_privilege';
  end if;
  if known.who <> actor then perform check_act_right(actor, known.kind, 'approved'); end if;
  if is_approved then
    perform add_act_approval(named, actor, known.who);
    return act_state(named);
  end if;
  added.act_id := named;
  added.step := 'refused';
  added.who := actor;
  added.reason := why;
  added.proposer := known.who;
  perform add_act_step(added);
  delete from open_acts where act_id = named;
  if of_kind.at_once then perform run_act_function(of_kind.undo, known); end if;
  return 'refused';
end $$;

-- As in 0035-act-functions.sql, and: an act of each kind.
create or replace function approve_acts(named uuid[], seen bytea[]) returns int language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare approved int := 0;
begin
  if cardinality(named) > 1000 or cardinality(named) <> cardinality(seen) then
    raise exception 'at most 1,000 acts, each with its hash' using errcode = 'invalid_parameter_value';
  end if;
  perform lock_act_chain();
  for place in 1 .. cardinality(named) loop
    if act_state(named[place]) = 'proposed' and decide_act(named[place], seen[place], true, null) in ('approved', 'done') then
      approved := approved + 1;
    end if;
  end loop;
  return approved;
end $$;

-- As in 0035-act-functions.sql, and: a node rejects acts of each kind, and carries out those that move money.
create or replace function carry_out_act(named uuid, came_out text, of_it jsonb, moved_in uuid, moved text, carried_at timestamptz)
  returns void language plpgsql security definer set search_path from current set lock_timeout = '50ms' as $$
declare
  known act_steps;
  added act_steps;
begin
  perform lock_act_chain();
  if act_state(named) is distinct from 'approved' then
    raise exception 'the act % is % and cannot be carried out', named, coalesce(act_state(named), 'unknown')
      using errcode = 'restrict_violation';
  end if;
  select * into strict known from act_steps s where s.act_id = named and s.step = 'proposed';
  if came_out = 'done' and moved_in is null and known.kind <> 'operator' then
    raise exception 'the act % moves money, or is not done', named using errcode = 'restrict_violation';
  end if;
  if moved_in is not null and not exists (select from act_kinds where kind = known.kind and effect = 'money') then
    raise exception 'the act % moves no money', named using errcode = 'restrict_violation';
  end if;
  if moved_in is not null and known.after ? 'entries' and known.after ->> 'entries' is distinct from moved then
    raise exception 'the act % was approved for other entries', named using errcode = 'restrict_violation';
  end if;
  added.act_id := named;
  added.step := 'carried out';
  added.who := 'node ' || session_user;
  added.outcome := came_out;
  added.result := of_it;
  added.journal_id := moved_in;
  added.entries := moved;
  perform add_act_step(added);
  delete from open_acts where act_id = named;
  if moved_in is not null then
    insert into acts (id, kind, reason, journal_id, entries, at)
      values (named, known.kind, known.reason, moved_in, moved, carried_at);
  end if;
end $$;

revoke execute on function bump_reference_version, run_act_function, end_act, apply_act,
  late_acts from public;
