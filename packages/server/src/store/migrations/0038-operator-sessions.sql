-- Sessions of operators who come in by a node, at a door such as the console's (docs/adr/0077-identities-of-operators.md): an identity
-- provider tells the node who it is, and the database holds each act against that session, not against the door.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Roles of PostgreSQL by which operators come in with a session each. `titian migrate --console-role` adds one.
create table operator_doors (
  database_role text primary key
);

create table operator_sessions (
  id uuid primary key,
  operator_id uuid not null references operators,
  -- SHA-256 of the secret, which stands nowhere here.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  came_by text not null check (came_by in ('console', 'cli')),
  address text not null check (length(address) between 1 and 64),
  -- The identity provider said so.
  has_second_factor boolean not null,
  -- By the database's clock.
  started_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- Issuer and subject of the operator who ended it.
  who_ended text,
  constraint operator_sessions_lifetime check (expires_at <= started_at + interval '12 hours'),
  constraint operator_sessions_ended check ((ended_at is null) = (who_ended is null))
);
create index operator_sessions_of_operator on operator_sessions (operator_id, started_at);

-- Null: of approvals, but of what was done at once.
alter table act_rights add needs_second_factor boolean;

create function is_operator_door() returns boolean language sql stable set search_path from current as $$
  select exists (select from operator_doors where database_role = session_user)
$$;

-- A session that another role opened would be its own to carry through a door.
create function check_operator_door() returns void language plpgsql stable set search_path from current as $$
begin
  if is_operator_door() then return; end if;
  raise exception 'the database''s role % is no door of operators: titian migrate --console-role', session_user
    using errcode = 'insufficient_privilege';
end $$;

-- Neither ended nor expired, used within the last 30 minutes, and of an operator who is still one.
create function is_open_session(s operator_sessions) returns boolean language sql stable set search_path from current as $$
  select s.ended_at is null and clock_timestamp() < s.expires_at and clock_timestamp() < s.last_used_at + interval '30 minutes'
    and exists (select from operators o where o.id = s.operator_id and o.ended_at is null)
$$;

create function find_open_session(its_hash bytea) returns operator_sessions language sql stable set search_path from current as $$
  select s.* from operator_sessions s where s.secret_hash = its_hash and is_open_session(s)
$$;

-- The session of this transaction at a door: a node sets its secret as titian.session.
create function act_session() returns operator_sessions language plpgsql stable set search_path from current as $$
declare
  known operator_sessions;
begin
  known := find_open_session(sha256(convert_to(coalesce(current_setting('titian.session', true), ''), 'UTF8')));
  if known.id is null then
    raise exception 'the session has ended: log in again' using errcode = 'insufficient_privilege';
  end if;
  return known;
end $$;

-- Whoever has opened the session: at a door by its secret, else by the database's role. A sandbox has one operator. A database that nobody
-- is in charge of yet has the role's name, and its acts are approved by themselves.
create or replace function act_operator() returns text language plpgsql stable set search_path from current as $$
declare
  found_one text;
begin
  if is_operator_door() then
    select issuer || ' ' || subject into strict found_one from operators where id = (act_session()).operator_id;
    return found_one;
  end if;
  if is_sandbox() then return 'titian control'; end if;
  select issuer || ' ' || subject into found_one from operators where database_role = session_user and ended_at is null;
  if found then return found_one; end if;
  if not exists (select from operators) then return 'database ' || session_user; end if;
  raise exception 'the database''s role % is no operator''s', session_user using errcode = 'insufficient_privilege';
end $$;

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

-- Of an operator that the identity provider has named. `known_as`: active, ended or unknown; a session is opened for an active one alone.
create function open_operator_session(its_issuer text, its_subject text, its_hash bytea, came text, from_address text,
    second_factor boolean, out session_id uuid, out known_as text)
  language plpgsql security definer set search_path from current set lock_timeout = '1s' as $$
declare
  of_operator operators;
  at timestamptz := clock_timestamp();
begin
  perform check_operator_door();
  select * into of_operator from operators o where (o.issuer, o.subject) = (its_issuer, its_subject);
  known_as := case when not found then 'unknown' when of_operator.ended_at is not null then 'ended' else 'active' end;
  if known_as <> 'active' then return; end if;
  session_id := gen_random_uuid();
  insert into operator_sessions (id, operator_id, secret_hash, came_by, address, has_second_factor, started_at, last_used_at, expires_at)
    values (session_id, of_operator.id, its_hash, came, from_address, second_factor, at, at, at + interval '12 hours');
end $$;

-- The operator of an open session, which has been used now; nothing of one that is not open. Noted once a minute.
create function use_operator_session(its_hash bytea, is_use boolean) returns table (session_id uuid, operator_id uuid, issuer text, subject text,
    name text, roles text[], has_second_factor boolean, came_by text, expires_at timestamptz)
  language sql security definer set search_path from current set lock_timeout = '1s' as $$
  select check_operator_door();
  update operator_sessions s set last_used_at = clock_timestamp()
    where is_use and s.id = (find_open_session(its_hash)).id and s.last_used_at < clock_timestamp() - interval '1 minute';
  select s.id, o.id, o.issuer, o.subject, o.name,
      array(select h.role from operator_roles h where h.operator_id = o.id order by h.role), s.has_second_factor, s.came_by, s.expires_at
    from find_open_session(its_hash) s join operators o on o.id = s.operator_id
$$;

-- By its operator, or by another one with the role security. False: it had ended before.
create function end_operator_session(named uuid) returns boolean language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  actor text := act_operator();
  of_whom text;
begin
  select o.issuer || ' ' || o.subject into of_whom from operator_sessions s join operators o on o.id = s.operator_id where s.id = named;
  if not found then
    raise exception 'there is no session %', named using errcode = 'no_data_found';
  end if;
  if of_whom <> actor and not exists (select from operators o join operator_roles h on h.operator_id = o.id
      where o.issuer || ' ' || o.subject = actor and o.ended_at is null and h.role = 'security') then
    raise exception 'a session of somebody else is ended by the role security' using errcode = 'insufficient_privilege';
  end if;
  update operator_sessions set ended_at = clock_timestamp(), who_ended = actor where id = named and ended_at is null;
  return found;
end $$;

revoke execute on function is_operator_door, check_operator_door, find_open_session, act_session, open_operator_session,
  use_operator_session, end_operator_session from public;
