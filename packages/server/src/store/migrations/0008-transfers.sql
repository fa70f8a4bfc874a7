-- Transfers that leave the bank, and what of them partners are to be told. Amounts are minor units of the transfer's
-- currency; times are the service's business time.

create table transfers (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  rail text not null,
  source uuid not null,
  currency text not null,
  travels bigint not null check (travels > 0),
  fee bigint not null check (fee >= 0),
  counted bigint not null,
  day int not null,
  state text not null check (state in ('accepted', 'sent', 'pending', 'settled', 'refused', 'returned')),
  -- Says what `state` says, but changes only once: the indexes over open transfers are left alone until then.
  is_open boolean not null,
  trace_no text,
  refusal text,
  within_call boolean not null,
  ended_by text,
  end_journal uuid,
  return_journal uuid,
  version int not null,
  at timestamptz not null,
  -- When somebody should look after it next, and how often that was done: a hint, moved by whoever takes it on.
  due_at timestamptz not null,
  attempts int not null default 0,
  constraint transfers_open check (is_open = (state in ('accepted', 'sent', 'pending'))),
  constraint transfers_ended check (is_open = (end_journal is null)),
  constraint transfers_returned check ((state = 'returned') = (return_journal is not null))
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_cost_delay = 0
);

create index transfers_due on transfers (due_at, id) where is_open;
create index transfers_open_by_source on transfers (source) where is_open;
create unique index transfers_by_end on transfers (end_journal);
create unique index transfers_by_return on transfers (return_journal) where return_journal is not null;

-- What partners are to be told (services 21, 75, 76), written in the commit that makes it true.
create table outbox (
  id uuid primary key,
  partner uuid not null,
  service smallint not null,
  -- The transfer it is about; what is told of one is told in order.
  resource uuid not null,
  status text not null,
  at timestamptz not null
);
create unique index outbox_by_resource on outbox (resource, status);

-- A transfer that the rail refuses within the call frees its external id and its number in the commit that returns the
-- money (decision D7): its record stays, and leads nowhere.
alter table writes alter column number_key drop not null;

-- A key is given up or kept, never made another: the service's role may update it, and nothing more.
create function refuse_other_key() returns trigger language plpgsql as $$
begin
  raise exception 'a key of an accepted write is never changed' using errcode = 'restrict_violation';
end $$;

create trigger writes_keys_kept before update on writes
  for each row when (coalesce(new.external_key <> old.external_key, new.external_key is not null and old.external_key is null)
    or coalesce(new.number_key <> old.number_key, new.number_key is not null and old.number_key is null))
  execute function refuse_other_key();
