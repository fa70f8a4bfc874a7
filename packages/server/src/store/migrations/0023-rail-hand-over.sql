-- Instructions to rails with one writer (docs/rails.md#file-rail, ADR 0059): any node asks, the holder of the lease exports.

-- Which node exports the instructions of a rail, and imports its results.
create table rail_leases (
  rail text primary key,
  -- The instance that has it; null: given back.
  holder uuid,
  -- Fencing number: another one with each lease.
  fence bigint not null default 0 check (fence >= 0),
  -- By the clock of the database.
  expires_at timestamptz not null default '-infinity',
  -- The last that an instruction was given.
  sequence bigint not null default 0 check (sequence >= 0),
  -- Instructions up to this one are not expected in the directory: an operator gave the one that had them up.
  released_sequence bigint not null default 0,
  -- Why nothing is exported; null: it is.
  stopped_because text,
  -- The lease whose holder compared the directory with the database last.
  compared_fence bigint not null default 0
);

create function reject_lease_going_back() returns trigger language plpgsql as $$
begin
  raise exception 'fencing number and sequence of a rail never go back' using errcode = 'restrict_violation';
end $$;

create trigger rail_leases_forward before update on rail_leases for each row
  when (new.fence < old.fence or new.sequence < old.sequence) execute function reject_lease_going_back();

create table rail_instructions (
  rail text not null,
  reference_no text not null check (length(reference_no) between 1 and 64),
  -- Null: taken over from a release before there were keys.
  idempotency_key text check (length(idempotency_key) between 1 and 64),
  -- JSON text: what of its line the rail is to carry out.
  terms text not null,
  -- It is written by then, or asked for again with a new commit.
  valid_until timestamptz not null,
  -- Of (rail, ledger), without gaps, given in a commit before the line is written. Null: not given yet, or taken over.
  sequence bigint check (sequence > 0),
  -- Whose line it is to be; null: nobody's yet.
  fence bigint,
  written_at timestamptz,
  -- What the rail reported; null: nothing.
  state text check (state in ('settled', 'rejected', 'returned')),
  rejection text check (length(rejection) <= 64),
  trace_no text check (length(trace_no) <= 16),
  primary key (rail, reference_no)
);
create unique index rail_instructions_by_key on rail_instructions (rail, idempotency_key);
create unique index rail_instructions_by_sequence on rail_instructions (rail, sequence);
create index rail_instructions_unwritten on rail_instructions (rail) where written_at is null;
create index rail_instructions_by_time on rail_instructions (rail, written_at);

-- What a rail may have seen is never another instruction, and never forgotten.
create function reject_instruction_change() returns trigger language plpgsql as $$
begin
  raise exception 'an instruction keeps its number, key, terms and sequence' using errcode = 'restrict_violation';
end $$;

create trigger rail_instructions_unchanged before update on rail_instructions for each row
  when ((new.rail, new.reference_no, new.idempotency_key, new.terms)
      is distinct from (old.rail, old.reference_no, old.idempotency_key, old.terms)
    or (old.sequence is not null and new.sequence is distinct from old.sequence)
    or (old.written_at is not null and new.written_at is null))
  execute function reject_instruction_change();
create trigger rail_instructions_kept before delete on rail_instructions for each row
  when (old.sequence is not null or old.written_at is not null) execute function reject_instruction_change();

-- How far the files of results are read and acknowledged.
create table rail_result_files (
  rail text not null,
  name text not null,
  -- Everything before this byte is acknowledged, and the lines that begin at `beyond`.
  up_to bigint not null check (up_to >= 0),
  beyond bigint[] not null,
  primary key (rail, name)
);

-- Lines of results that nobody can understand, for an operator.
create table rail_result_lines_set_aside (
  rail text not null,
  file text not null,
  -- From 1; 0: the whole file.
  line bigint not null,
  fault text not null,
  -- At most 64 KiB of it.
  text text not null,
  set_aside_at timestamptz not null,
  primary key (rail, file, line)
);
