-- Items of bulks (20) that an operator wants rejected, and that no rail has as far as the ledger knows: their rail is inquired of
-- before, and they are not submitted (spec D13).
create table requested_rejections (
  transfer_id uuid primary key,
  requested_at timestamptz not null
);
