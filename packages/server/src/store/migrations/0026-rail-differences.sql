-- Differences between a rail's directory and the database, and what an operator decided of each
-- (docs/rails.md#directory-and-database, ADR 0060).
create table rail_differences (
  id bigint generated always as identity primary key,
  rail text not null,
  reference_no text not null check (length(reference_no) between 1 and 64),
  sequence bigint not null check (sequence > 0),
  -- ahead: a file has the line, and the database has forgotten it · behind: the database has it as written, and no file has it.
  kind text not null check (kind in ('ahead', 'behind')),
  -- JSON text: all of the line; behind: what the database has of it.
  line text not null,
  -- Where the line stands; null: behind.
  file text,
  file_line bigint,
  found_at timestamptz not null,
  -- Null: open.
  decision text,
  reason text check (length(reason) between 1 and 500),
  decided_at timestamptz,
  check (num_nulls(file, file_line) = case kind when 'ahead' then 0 else 2 end),
  check ((kind, decision) in
    (('ahead', 'adopted'), ('ahead', 'not_carried'), ('behind', 'carried'), ('behind', 'export_again'))),
  check (num_nulls(decision, reason, decided_at) in (0, 3))
);
-- A line is decided on once; an instruction that is exported again may be missed again.
create unique index rail_differences_ahead on rail_differences (rail, reference_no, sequence) where kind = 'ahead';
create unique index rail_differences_open on rail_differences (rail, reference_no) where decision is null;
create index rail_differences_by_number on rail_differences (rail, reference_no, kind);

create function reject_difference_change() returns trigger language plpgsql as $$
begin
  raise exception 'a difference is decided on once, and what a directory is ahead with is never forgotten'
    using errcode = 'restrict_violation';
end $$;

create trigger rail_differences_begin_open before insert on rail_differences for each row
  when (new.decision is not null) execute function reject_difference_change();
create trigger rail_differences_unchanged before update on rail_differences for each row
  when (old.decision is not null
    or (new.rail, new.reference_no, new.sequence, new.kind, new.line, new.file, new.file_line, new.found_at)
      is distinct from (old.rail, old.reference_no, old.sequence, old.kind, old.line, old.file, old.file_line, old.found_at))
  execute function reject_difference_change();
create trigger rail_differences_kept before delete on rail_differences for each row
  when (old.decision is not null or old.kind = 'ahead') execute function reject_difference_change();

alter table rail_leases
  -- Since when the directory is ahead: nodes answer inquiries alone until an operator opens the rail. Null: it is not.
  add column ahead_since timestamptz,
  add check (ahead_since is null or stopped_because is not null);

create function reject_opening() returns trigger language plpgsql as $$
begin
  if exists (select from rail_differences where rail = new.rail and kind = 'ahead' and decision is null) then
    raise exception 'a rail is opened once each line that the database has forgotten is decided on'
      using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger rail_leases_opened before update on rail_leases for each row
  when (old.ahead_since is not null and new.ahead_since is null) execute function reject_opening();

-- As before, but for a line that an operator has exported again: it counts as unwritten, once, while nothing is reported of it.
create or replace function reject_instruction_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (new.rail, new.reference_no, new.idempotency_key, new.terms, new.sequence)
        is not distinct from (old.rail, old.reference_no, old.idempotency_key, old.terms, old.sequence)
      and old.state is null and new.written_at is null
      and exists (select from rail_differences where rail = old.rail and reference_no = old.reference_no
        and sequence = old.sequence and decision = 'export_again' and decided_at >= old.written_at)
    then return new; end if;
  end if;
  raise exception 'an instruction keeps its number, key, terms and sequence' using errcode = 'restrict_violation';
end $$;
