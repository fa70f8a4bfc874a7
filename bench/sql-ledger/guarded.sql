-- The ledger of schema.sql with the service's guards: two unique keys of a request, rejections that are given again, entries
-- that balance and have a version without a gap, and partitions. Foreign keys and indexes are those of schema.sql; both
-- accounts are locked and read by their numbers.
create table accounts (
  id bigint primary key,
  account_no text not null unique,
  currency text not null,
  balance bigint not null check (balance >= 0),
  -- Number of its entries.
  version bigint not null default 0,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

create sequence transfer_ids;

create table transfers (
  id bigint not null,
  external_id text not null,
  from_account_id bigint not null,
  to_account_id bigint not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null
) partition by range (created_at);

create table entries (
  account_id bigint not null,
  version bigint not null check (version > 0),
  transfer_id bigint not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  created_at timestamptz not null
) partition by range (created_at);
create index entries_by_transfer on entries (transfer_id);
alter table transfers add primary key (id, created_at),
  add foreign key (from_account_id) references accounts (id),
  add foreign key (to_account_id) references accounts (id);
alter table entries add foreign key (account_id) references accounts (id),
  add foreign key (transfer_id, created_at) references transfers (id, created_at);

create function reject_unbalanced_transfer() returns trigger language plpgsql as $$
begin
  if exists (select from added group by transfer_id, currency having sum(amount) <> 0) then
    raise exception 'a transfer does not balance' using errcode = 'check_violation', constraint = 'entries_balanced';
  end if;
  return null;
end $$;
create trigger entries_balanced after insert on entries
  referencing new table as added for each statement execute function reject_unbalanced_transfer();

-- Two keys of each transfer: of its external id, and of the partner's own number.
create table request_keys (
  key uuid primary key,
  transfer_id bigint not null
) partition by range (key);

create table rejected_requests (
  external_id_key uuid not null,
  partner_reference_key uuid not null,
  request_fingerprint uuid not null,
  signature_key uuid not null,
  reason text not null,
  sent_at timestamptz not null,
  rejected_at timestamptz not null
) partition by range (rejected_at);
create index on rejected_requests (signature_key);
create index on rejected_requests (external_id_key, sent_at);
create index on rejected_requests (partner_reference_key, request_fingerprint, sent_at);

-- Keys in eight equal ranges; the others by weeks, from the one before this to the fourth to come, and a default.
do $$
declare
  parent text;
  week timestamptz := date_trunc('week', now(), 'UTC');
  edge text[] := array['minvalue'] || array(select quote_literal(rpad(to_hex(n), 32, '0')) from generate_series(2, 14, 2) n) || array['maxvalue'];
begin
  for n in 1..8 loop
    execute format('create table request_keys_%s partition of request_keys for values from (%s) to (%s)', n, edge[n], edge[n + 1]);
  end loop;
  foreach parent in array array['transfers', 'entries', 'rejected_requests'] loop
    execute format('create table %1$s_default partition of %1$s default', parent);
    for n in -1..4 loop
      execute format('create table %1$s_%2$s partition of %1$s for values from (%3$L) to (%4$L)', parent,
        to_char(week + n * interval '7 days', 'YYYYMMDD'), week + n * interval '7 days', week + (n + 1) * interval '7 days');
    end loop;
  end loop;
  for parent in select inhrelid::regclass from pg_inherits where inhparent = 'entries'::regclass loop
    execute format('alter table %s add primary key (account_id, version)', parent);
  end loop;
end $$;

-- The id of the new transfer, or the SQLSTATE of its rejection, which a repeat gets again.
create function create_transfer(external_id text, key_of_external_id uuid, key_of_reference uuid, fingerprint uuid, signature uuid,
  sent timestamptz, payer_no text, payee_no text, given_currency text, moved bigint, out id bigint, out rejection text)
  language plpgsql as $$
declare
  payer record;
  payee record;
  earliest timestamptz := sent - interval '1 day';
  latest timestamptz := sent + interval '1 day';
begin
  if payer_no = payee_no or moved <= 0 then
    raise exception 'no transfer of % from % to %', moved, payer_no, payee_no using errcode = 'invalid_parameter_value';
  end if;
  -- In the order of numbers, so that no two transfers wait for each other.
  if payer_no < payee_no then
    select a.id, balance, version into payer from accounts a where account_no = payer_no and currency = given_currency for no key update;
  end if;
  select a.id, balance, version into payee from accounts a where account_no = payee_no and currency = given_currency for no key update;
  if payer_no > payee_no then
    select a.id, balance, version into payer from accounts a where account_no = payer_no and currency = given_currency for no key update;
  end if;
  -- Behind the locks: a statement sees what was committed before it.
  select reason into rejection from rejected_requests
    where signature_key = signature and rejected_at between earliest and latest
  union all
  select reason from rejected_requests
    where external_id_key = key_of_external_id and sent_at >= sent and rejected_at between earliest and latest
  union all
  select reason from rejected_requests
    where partner_reference_key = key_of_reference and request_fingerprint = fingerprint and sent_at >= sent
      and rejected_at between earliest and latest
  limit 1;
  if rejection is not null then
    return;
  end if;
  if payer.id is null or payee.id is null then
    rejection := '23502';
  elsif payer.balance < moved then
    rejection := '23514';
  end if;
  if rejection is not null then
    insert into rejected_requests values (key_of_external_id, key_of_reference, fingerprint, signature, rejection, sent, now());
    return;
  end if;
  id := nextval('transfer_ids');
  insert into request_keys (key, transfer_id) values (key_of_external_id, id), (key_of_reference, id);
  insert into transfers values (id, external_id, payer.id, payee.id, moved, now());
  insert into entries values
    (payer.id, payer.version + 1, id, given_currency, -moved, payer.balance - moved, now()),
    (payee.id, payee.version + 1, id, given_currency, moved, payee.balance + moved, now());
  update accounts a set balance = payer.balance - moved, version = payer.version + 1, updated_at = now() where a.id = payer.id;
  update accounts a set balance = payee.balance + moved, version = payee.version + 1, updated_at = now() where a.id = payee.id;
end $$;
