-- concurrent
-- A transfer by the number that its rail gave it: what the other side knows it by.
create index concurrently if not exists transfers_by_trace_no on transfers (trace_no) where trace_no is not null;
