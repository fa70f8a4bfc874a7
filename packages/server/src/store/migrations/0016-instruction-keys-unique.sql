-- concurrent
-- A key names one instruction, whatever number it comes with.
create unique index concurrently if not exists simulated_instructions_by_key on simulated_instructions (idempotency_key);
