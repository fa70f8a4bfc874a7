-- When a transfer was last handed to its rail, or accepted to be: for a while after it an instruction may still arrive,
-- and no operator's refusal is recorded. Absent of what an earlier release accepted: when it was accepted.
alter table transfers add column submitted_at timestamptz;
