-- The idempotency key of an instruction, of what the partner intended (docs/rails.md). Null: of a release before this one.
alter table simulated_instructions add column idempotency_key text check (length(idempotency_key) between 1 and 64);
