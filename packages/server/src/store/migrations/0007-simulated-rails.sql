-- What the sandbox's simulated rails were handed: the memory of the other side, shared by all nodes. In production it
-- stays empty. Nothing of it is ours: what we know of a transfer stands in our own tables.

create table simulated_instructions (
  -- The idempotency key: a number names one instruction, whatever the rail.
  reference_no text primary key check (length(reference_no) between 1 and 64),
  rail text not null,
  -- Decimal text, as it was handed over.
  amount text not null,
  currency text not null,
  bank_code text not null,
  account_no text not null,
  -- Names of `rails/simulated/scenarios.ts`; a row of another release may hold one that this release does not know.
  outcome text not null,
  -- Handed over while the rail was silent: not looked at yet.
  held boolean not null,
  submitted_at timestamptz not null,
  -- When it settles or is refused; null: not by itself.
  final_at timestamptz,
  -- When it comes back; null: not by itself.
  returned_at timestamptz,
  -- Which of its two results need not be told again.
  final_taken boolean not null,
  return_taken boolean not null,
  constraint held_is_not_final check (not (held and final_at is not null)),
  constraint returned_after_settled check (returned_at is null or returned_at >= final_at)
);

create index simulated_results_final on simulated_instructions (rail, final_at) where not final_taken;
create index simulated_results_returned on simulated_instructions (rail, returned_at)
  where returned_at is not null and not return_taken;
create index simulated_instructions_held on simulated_instructions (rail) where held;
