-- Results of rails that could not be recorded, kept before they are acknowledged (docs/rails.md#results-set-aside).
create table set_aside_results (
  rail text not null,
  -- As the rail reported it, made printable and cut to 64 characters.
  reference_no text not null check (length(reference_no) <= 64),
  -- What it reported: settled, rejected, pending or returned.
  state text not null check (length(state) <= 16),
  -- unknown: no transfer of this rail has the number · conflict: the transfer has another final result.
  reason text not null check (reason in ('unknown', 'conflict')),
  trace_no text check (length(trace_no) <= 16),
  set_aside_at timestamptz not null,
  -- When an operator had seen to it.
  closed_at timestamptz,
  primary key (rail, reference_no, state)
);
create index set_aside_results_open on set_aside_results (rail, reason) where closed_at is null;
