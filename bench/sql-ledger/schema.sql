-- A ledger as functions of the database, written in the usual way: each transfer locks both accounts in one order, checks
-- the balance, and leaves a transfer with a unique external id and two entries with the balance after each.
create table accounts (
  id bigint primary key,
  account_no text not null unique,
  currency text not null,
  balance bigint not null check (balance >= 0),
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

create table transfers (
  id bigint generated always as identity primary key,
  external_id text not null unique,
  from_account_id bigint not null references accounts (id),
  to_account_id bigint not null references accounts (id),
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default now()
);

create table entries (
  id bigint generated always as identity primary key,
  transfer_id bigint not null references transfers (id),
  account_id bigint not null references accounts (id),
  amount bigint not null,
  balance_after bigint not null,
  created_at timestamptz not null default now()
);
create index entries_by_account on entries (account_id, id);
create index entries_by_transfer on entries (transfer_id);

-- The id of the new transfer.
create function create_transfer(given_id text, payer bigint, payee bigint, moved bigint) returns bigint
  language plpgsql as $$
declare
  payer_balance bigint;
  payee_balance bigint;
  transfer_id bigint;
begin
  if payer = payee or moved <= 0 then
    raise exception 'no transfer of % from % to %', moved, payer, payee using errcode = 'invalid_parameter_value';
  end if;
  -- In the order of ids, so that no two transfers wait for each other.
  perform 1 from accounts where id in (payer, payee) order by id for no key update;
  select balance into payer_balance from accounts where id = payer;
  if payer_balance is null or payer_balance < moved then
    raise exception 'insufficient funds on account %', payer using errcode = 'check_violation';
  end if;
  update accounts set balance = balance - moved, updated_at = now() where id = payer returning balance into payer_balance;
  update accounts set balance = balance + moved, updated_at = now() where id = payee returning balance into payee_balance;
  insert into transfers (external_id, from_account_id, to_account_id, amount)
    values (given_id, payer, payee, moved) returning id into transfer_id;
  insert into entries (transfer_id, account_id, amount, balance_after)
    values (transfer_id, payer, -moved, payer_balance), (transfer_id, payee, moved, payee_balance);
  return transfer_id;
end $$;
