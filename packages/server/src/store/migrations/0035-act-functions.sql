-- Functions by which operators' acts are proposed, approved and carried out: nobody adds a step otherwise.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Whoever has opened the session. A sandbox has one operator. A database that nobody is in charge of yet has the role's name, and its
-- acts are approved by themselves.
create function act_operator() returns text language plpgsql stable set search_path from current as $$
declare
  found_one text;
begin
  if is_sandbox() then return 'titian control'; end if;
  select issuer || ' ' || subject into found_one from operators where database_role = session_user and ended_at is null;
  if found then return found_one; end if;
  if not exists (select from operators) then return 'database ' || session_user; end if;
  raise exception 'the database''s role % is no operator''s', session_user using errcode = 'insufficient_privilege';
end $$;

-- In place of a second operator; null: a second operator it is.
create function act_approver_instead() returns text language sql stable set search_path from current as $$
  select case when is_sandbox() then 'titian sandbox' when not exists (select from operators) then 'titian setup' end
$$;

create function check_act_right(who text, of_kind text, of_step text) returns void language plpgsql stable
  set search_path from current as $$
declare
  wanted text;
begin
  select string_agg(role, ' or ' order by role) into wanted from act_rights where (kind, step) = (of_kind, of_step);
  if wanted is null then
    raise exception 'there is no act of the kind %', of_kind using errcode = 'invalid_parameter_value';
  end if;
  if act_approver_instead() is not null then return; end if;
  if exists (select from act_rights r join operator_roles h using (role) join operators o on o.id = h.operator_id
      where (r.kind, r.step) = (of_kind, of_step) and o.issuer || ' ' || o.subject = who and o.ended_at is null) then
    return;
  end if;
  raise exception 'an act of the kind % is % by the role %', of_kind, of_step, wanted using errcode = 'insufficient_privilege';
end $$;

-- Proposes an act, and answers with it and its state (act_state). The same id again is the same act, and while one is open of the same kind
-- on the same record, that one is answered; `is_same`: it is what was proposed here. Where there is nobody to approve, it is approved by
-- what stands for a second operator.
create function propose_act(new_id uuid, new_kind text, new_target text, new_reference text, is_before jsonb, shall_be jsonb,
    why text, for_ticket text, lifetime interval, out act_id uuid, out state text, out is_same boolean)
  language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  actor text;
  approver text;
  known act_steps;
  added act_steps;
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
  perform expire_open_acts();
  select * into known from act_steps s where s.step = 'proposed' and s.act_id = coalesce(
    (select p.act_id from act_steps p where p.act_id = new_id and p.step = 'proposed'),
    (select o.act_id from open_acts o where (o.kind, o.target, o.reference) = (new_kind, new_target, new_reference)));
  if found then
    act_id := known.act_id;
    state := act_state(known.act_id);
    is_same := (known.kind, known.target, known.reference, known.after) = (new_kind, new_target, new_reference, shall_be);
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
  if approver is not null then perform add_act_approval(new_id, approver, actor); end if;
  act_id := new_id;
  state := act_state(new_id);
  is_same := true;
end $$;

create function add_act_approval(of_act uuid, approver text, by text) returns void language plpgsql set search_path from current as $$
declare
  added act_steps;
begin
  added.act_id := of_act;
  added.step := 'approved';
  added.who := approver;
  added.proposer := by;
  perform add_act_step(added);
  update open_acts set state = 'approved', since = clock_timestamp() where act_id = of_act;
end $$;

-- Ends what nobody approved in time. The caller has the chain's lock.
create function expire_open_acts() returns int language plpgsql set search_path from current as $$
declare
  late open_acts;
  added act_steps;
  ended int := 0;
begin
  for late in select * from open_acts where state = 'proposed' and expires_at <= clock_timestamp() order by act_id loop
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

create function expire_acts() returns int language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
begin
  -- Nodes ask once a second, and mostly nothing is late.
  if not exists (select from open_acts where state = 'proposed' and expires_at <= clock_timestamp()) then return 0; end if;
  perform lock_act_chain();
  return expire_open_acts();
end $$;

-- The second operator's decision on a proposal, of which `seen` is the hash that was read. An act that waits no more stays what it is, and
-- that is answered. Its proposer may take it back.
create function decide_act(named uuid, seen bytea, is_approved boolean, why text) returns text language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  actor text;
  known act_steps;
  added act_steps;
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
  if is_approved and known.who = actor then
    raise exception 'whoever proposes an act does not approve it' using errcode = 'insufficient_privilege';
  end if;
  if is_approved or known.who <> actor then perform check_act_right(actor, known.kind, 'approved'); end if;
  if is_approved then
    perform add_act_approval(named, actor, known.who);
    return 'approved';
  end if;
  added.act_id := named;
  added.step := 'refused';
  added.who := actor;
  added.reason := why;
  added.proposer := known.who;
  perform add_act_step(added);
  delete from open_acts where act_id = named;
  return 'refused';
end $$;

create function approve_act(named uuid, seen bytea) returns text language sql security definer set search_path from current as $$
  select decide_act(named, seen, true, null)
$$;

-- Many acts by one decision: all of them, or none. Answers how many were approved by it.
create function approve_acts(named uuid[], seen bytea[]) returns int language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  approved int := 0;
begin
  if cardinality(named) > 1000 or cardinality(named) <> cardinality(seen) then
    raise exception 'at most 1,000 acts, each with its hash' using errcode = 'invalid_parameter_value';
  end if;
  for place in 1 .. cardinality(named) loop
    if decide_act(named[place], seen[place], true, null) = 'approved' then approved := approved + 1; end if;
  end loop;
  return approved;
end $$;

create function refuse_act(named uuid, seen bytea, why text) returns text language sql security definer set search_path from current as $$
  select decide_act(named, seen, false, why)
$$;

-- What a node made of an approved act, in the commit of its journal where it moved money. `carried_at`: business time. Its batch has
-- accounts locked: it waits for no operator's transaction.
create function carry_out_act(named uuid, came_out text, of_it jsonb, moved_in uuid, moved text, carried_at timestamptz) returns void
  language plpgsql security definer set search_path from current set lock_timeout = '50ms' as $$
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

-- An act of a release that had no steps, whose period comes back. The owner's alone.
create function add_earlier_act(its_kind text, moved_in uuid, moved text, moved_at timestamptz) returns void language plpgsql
  set search_path from current set lock_timeout = '1s' as $$
declare
  added act_steps;
begin
  perform lock_act_chain();
  added.act_id := moved_in;
  added.step := 'origin';
  added.who := 'titian database attach';
  added.result := jsonb_build_object('kind', its_kind);
  added.journal_id := moved_in;
  added.entries := moved;
  perform add_act_step(added);
  insert into acts (id, kind, reason, journal_id, entries, at)
    values (moved_in, its_kind, 'recorded by an earlier release', moved_in, moved, moved_at);
end $$;

revoke execute on function act_step_hash, lock_act_chain, add_act_step, act_state, act_operator, act_approver_instead, check_act_right, is_sandbox,
  propose_act, add_act_approval, expire_open_acts, expire_acts, decide_act, approve_act, approve_acts, refuse_act, carry_out_act,
  add_earlier_act, bootstrap_operators, add_operator from public;
