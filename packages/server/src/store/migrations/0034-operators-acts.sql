-- Operators and their acts (docs/adr/0075-operators-acts.md). An act is the sum of its steps: proposed, then approved, refused or
-- expired, then carried out by a node. Steps are only ever added, by functions alone, and are one chain of hashes.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- One person or program, however it comes in: one issuer and subject.
create table operators (
  id uuid primary key,
  -- An address, so that nobody bears a name that the database gives, such as that of a sandbox's operator.
  issuer text not null check (length(issuer) <= 200 and issuer ~ '^https?://[^\s[:cntrl:]]+$'),
  subject text not null check (length(subject) between 1 and 200 and subject !~ '[[:cntrl:]]'),
  -- For people.
  name text not null check (length(name) between 1 and 100),
  -- Role of PostgreSQL by which it comes in at the database's own door. Null: not at that door.
  database_role text unique,
  ended_at timestamptz,
  unique (issuer, subject)
);

create table operator_roles (
  operator_id uuid not null references operators,
  role text not null check (role in ('viewer', 'support', 'operator', 'approver', 'security', 'auditor')),
  primary key (operator_id, role)
);

-- Pairs of roles that nobody may have together.
create table incompatible_roles (
  role text not null,
  other text not null,
  primary key (role, other)
);
insert into incompatible_roles (role, other) values
  ('approver', 'auditor'), ('approver', 'security'), ('auditor', 'operator'), ('auditor', 'security');

create function reject_incompatible_role() returns trigger language plpgsql set search_path from current as $$
begin
  -- Grants of one operator are made one after the other: each sees those before it.
  perform from operators where id = new.operator_id for update;
  if exists (select from operator_roles h join incompatible_roles i
      on (i.role, i.other) in ((h.role, new.role), (new.role, h.role)) where h.operator_id = new.operator_id) then
    raise exception 'the role % cannot be held together with another one of this operator', new.role
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger operator_roles_compatible before insert or update on operator_roles
  for each row execute function reject_incompatible_role();

-- Steps of each kind of act, and the roles that may take them.
create table act_rights (
  kind text not null,
  step text not null,
  role text not null,
  primary key (kind, step, role)
);
insert into act_rights (kind, step, role)
select kind, step, role from unnest(array['opening', 'funding', 'resolution', 'return', 'adoption']) kind,
  (values ('proposed', 'operator'), ('approved', 'approver')) steps (step, role);

create table act_steps (
  -- Of the chain, without a gap.
  position bigint primary key check (position >= 0),
  act_id uuid not null,
  step text not null check (step in ('origin', 'proposed', 'approved', 'refused', 'expired', 'carried out')),
  -- Issuer and subject of an operator, or what took the step in its place.
  who text not null,
  -- By the database's clock.
  at timestamptz not null,
  -- Of a proposal: what shall be done, to which record; what is there, and what shall be there then.
  kind text,
  target text check (length(target) between 1 and 200),
  -- Tells acts of one kind on one record apart that may be open at once.
  reference text check (length(reference) <= 64),
  before jsonb,
  after jsonb,
  -- Of a proposal and of a refusal, for people.
  reason text check (length(reason) between 1 and 500),
  ticket text check (length(ticket) between 1 and 100),
  expires_at timestamptz,
  -- Of an approval and a refusal: who proposed it.
  proposer text,
  -- Of what a node carried out: what came of it, and the journal that it moved money in, with its entries.
  outcome text check (outcome in ('done', 'rejected')),
  result jsonb,
  journal_id uuid unique,
  entries text,
  previous bytea not null check (length(previous) = 32),
  hash bytea not null unique check (length(hash) = 32),
  unique (act_id, step),
  constraint act_steps_proposal check ((step = 'proposed') = (kind is not null) and (step = 'proposed') = (target is not null)
    and (step = 'proposed') = (reference is not null) and (step = 'proposed') = (after is not null)
    and (step = 'proposed') = (expires_at is not null)),
  constraint act_steps_reason check ((step in ('proposed', 'refused')) = (reason is not null)),
  constraint act_steps_proposer check ((step in ('approved', 'refused')) = (proposer is not null)),
  constraint act_steps_four_eyes check (step <> 'approved' or who <> proposer),
  constraint act_steps_outcome check ((step = 'carried out') = (outcome is not null)),
  constraint act_steps_journal check (journal_id is null or outcome = 'done' or step = 'origin'),
  constraint act_steps_entries check ((journal_id is null) = (entries is null))
);
-- Approved, refused or expired: one of them, once.
create unique index act_steps_decided on act_steps (act_id) where step in ('approved', 'refused', 'expired');
create index act_steps_by_target on act_steps (target, position) where target is not null;

create function reject_act_step_change() returns trigger language plpgsql as $$
begin
  raise exception 'steps of acts are never changed or deleted' using errcode = 'restrict_violation';
end $$;
create trigger act_steps_immutable before update or delete or truncate on act_steps
  for each statement execute function reject_act_step_change();

-- The last step of the chain. Whoever adds one has its lock: steps are added one after the other.
create table act_chain (
  is_only boolean primary key default true check (is_only),
  position bigint not null,
  hash bytea not null
);

-- Acts that wait for approval or for a node: one of a kind on a record at a time. An index of the steps, kept by functions alone.
create table open_acts (
  act_id uuid primary key,
  kind text not null,
  target text not null,
  reference text not null,
  state text not null check (state in ('proposed', 'approved')),
  expires_at timestamptz not null,
  since timestamptz not null default clock_timestamp(),
  unique (kind, target, reference)
);

-- The audit computes the same by a text of its own (store/audit/act-chain.ts).
create function act_step_hash(s act_steps) returns bytea language sql stable as $$
  select sha256(s.previous || convert_to(jsonb_build_array(s.position, s.act_id, s.step, s.who,
    (extract(epoch from s.at) * 1000000)::bigint, s.kind, s.target, s.reference, s.before, s.after, s.reason, s.ticket,
    (extract(epoch from s.expires_at) * 1000000)::bigint, s.proposer, s.outcome, s.result, s.journal_id, s.entries)::text, 'UTF8'))
$$;

-- Results that an operator recorded with earlier releases get an act each, as their openings have one (0018-acts.sql); those of detached
-- periods have no entries here, and no audit reads them.
insert into acts (id, kind, reason, journal_id, entries, at)
select journal_id, kind, 'recorded by an earlier release', journal_id,
  string_agg(format('%s %s %s', account_no, amount, currency), ', '
    order by format('%s %s %s', account_no, amount, currency) collate "C"), min(created_at)
from (
  select r.journal_id, r.kind, a.account_no, e.amount, e.currency, e.created_at
  from (select resolution_journal_id, 'resolution' from transfers where resolved_by = 'operator'
      union all select return_journal_id, 'return' from transfers where returned_by = 'operator') r (journal_id, kind)
    join entries e on e.journal_id = r.journal_id join accounts a on a.id = e.account_id) moved
group by journal_id, kind;

-- The chain begins with all acts of earlier releases, which had no steps: their number, and a hash of all of them.
do $$
declare
  origin act_steps;
begin
  origin.position := 0;
  origin.act_id := '00000000-0000-0000-0000-000000000000';
  origin.step := 'origin';
  origin.who := 'titian migrate';
  origin.at := clock_timestamp();
  select jsonb_build_object('acts', count(*), 'hash', encode(sha256(coalesce(string_agg(
    sha256(convert_to(jsonb_build_array(id, kind, reason, journal_id, entries)::text, 'UTF8')), '' order by id), '')), 'hex'))
    into origin.result from acts;
  origin.previous := decode(repeat('00', 32), 'hex');
  origin.hash := act_step_hash(origin);
  insert into act_steps select origin.*;
  insert into act_chain (position, hash) values (0, origin.hash);
end $$;

-- The act by which a queued item of a bulk shall be rejected. Null: requested with a release that had none.
alter table requested_rejections add act_id uuid;
alter table requested_rejections add constraint requested_rejections_act check (act_id is not null) not valid;

-- From here on an act is written with its steps alone, by carry_out_act.
create function reject_act_without_steps() returns trigger language plpgsql set search_path from current as $$
begin
  if not exists (select from act_steps where act_id = new.id and journal_id = new.journal_id and entries = new.entries) then
    raise exception 'an act is written by the functions of this release: propose it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger acts_with_steps before insert on acts for each row execute function reject_act_without_steps();

-- A node's password must not turn a bank's database into a sandbox, which approves by itself.
create function reject_environment_change() returns trigger language plpgsql as $$
begin
  raise exception 'the environment of a database is never changed' using errcode = 'restrict_violation';
end $$;
create trigger service_state_environment before update on service_state
  for each row when (old.name = 'environment' and (new.name, new.value::text) is distinct from (old.name, old.value::text))
  execute function reject_environment_change();

create function is_sandbox() returns boolean language sql stable set search_path from current as $$
  select exists (select from service_state where name = 'environment' and value #>> '{}' = 'sandbox')
    and not exists (select from operators)
$$;

create function lock_act_chain() returns void language plpgsql set search_path from current as $$
begin
  perform from act_chain for update;
end $$;

-- Adds a step behind the last one, whose lock the caller has.
create function add_act_step(s act_steps) returns void language plpgsql set search_path from current as $$
declare
  last act_chain;
begin
  select * into strict last from act_chain;
  s.position := last.position + 1;
  s.previous := last.hash;
  s.at := clock_timestamp();
  s.hash := act_step_hash(s);
  insert into act_steps select s.*;
  update act_chain set position = s.position, hash = s.hash;
end $$;

-- Of an act: proposed, approved, refused, expired, done or rejected; null: there is none.
create function act_state(named uuid) returns text language sql stable set search_path from current as $$
  select coalesce(outcome, step) from act_steps where act_id = named order by position desc limit 1
$$;

-- Makes the first two operators of a database that nobody is in charge of: one proposes, the other approves. The owner's alone.
create function bootstrap_operators(security_officer jsonb, approver jsonb) returns void language plpgsql
  set search_path from current set lock_timeout = '1s' as $$
declare
  added act_steps;
  of_act uuid := gen_random_uuid();
begin
  perform lock_act_chain();
  if is_sandbox() then
    raise exception 'a sandbox has its own operators' using errcode = 'restrict_violation';
  end if;
  if exists (select from operators) then
    raise exception 'the database has operators' using errcode = 'restrict_violation';
  end if;
  if exists (select from open_acts) then
    raise exception 'acts are open that nobody has approved: a node carries them out first' using errcode = 'restrict_violation';
  end if;
  insert into service_state (name, value) values ('environment', '"production"') on conflict (name) do nothing;
  added.act_id := of_act;
  added.step := 'proposed';
  added.who := 'database ' || session_user;
  added.kind := 'operator';
  added.target := 'bootstrap';
  added.reference := '';
  added.after := jsonb_build_object('security', security_officer, 'approver', approver);
  added.reason := 'the first operators';
  added.expires_at := clock_timestamp() + interval '1 hour';
  perform add_act_step(added);
  insert into open_acts (act_id, kind, target, reference, state, expires_at)
    values (of_act, added.kind, added.target, '', 'proposed', added.expires_at);
  perform add_act_approval(of_act, 'titian setup', added.who);
  perform add_operator(security_officer, 'security');
  perform add_operator(approver, 'approver');
  perform carry_out_act(of_act, 'done', null, null, null, clock_timestamp());
end $$;

create function add_operator(person jsonb, first_role text) returns void language plpgsql set search_path from current as $$
declare
  new_id uuid := gen_random_uuid();
begin
  insert into operators (id, issuer, subject, name, database_role)
    values (new_id, person ->> 'issuer', person ->> 'subject', person ->> 'name', person ->> 'databaseRole');
  insert into operator_roles (operator_id, role) values (new_id, first_role);
end $$;
