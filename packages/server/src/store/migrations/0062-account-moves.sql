-- Accounts move from one cell to another (docs/adr/0098-account-moves.md): home says which cell decides on an account, and each cell keeps what
-- has left it and what is coming to it.

-- As in 0056-functions-in-their-schema.sql: functions look in the schema of the tables alone, and for temporary tables last.
select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Home's: accounts that were moved, or shall be. A further cell's own table stays empty.
create table moved_accounts (
  account_no text primary key,
  -- The cell that decides on it.
  cell smallint not null check (cell between 0 and 255),
  -- The cell that it is moving to: no call is taken for it meanwhile.
  moving_to smallint check (moving_to between 0 and 255),
  -- The reason why it has not moved by its last act.
  refusal text,
  -- False: it has never left the cell of its number.
  has_moved boolean not null default false,
  -- Of its last move, and of the move itself: the time at which it began, in milliseconds by the database's clock, so that a number is higher than those of
  -- before home was restored. A step of an earlier move comes too late everywhere.
  act_id uuid not null,
  number bigint not null,
  -- Of the reference data that it came with.
  version bigint not null,
  constraint moved_accounts_way check (moving_to <> cell),
  constraint moved_accounts_refusal check (refusal is null or moving_to is null)
);

create index moved_accounts_version on moved_accounts (version, account_no);

-- In each cell: accounts that have left it (status `moved`) and accounts that are coming to it (`arriving`), with the terms that do not apply
-- meanwhile; and accounts that have come, without either cell.
create table account_moves (
  account_no text primary key,
  moved_to smallint check (moved_to between 0 and 255),
  arrives_from smallint check (arrives_from between 0 and 255),
  -- The number that home gave its last move.
  number bigint not null,
  status text not null check (status in ('active', 'dormant', 'blocked')),
  minimum_balance bigint not null check (minimum_balance >= 0),
  constraint account_moves_way check (moved_to is null or arrives_from is null)
);

create index account_moves_arriving on account_moves (account_no) where arrives_from is not null;

insert into act_kinds (kind, effect, apply) values ('accountMove', 'data', 'announce_move');
insert into act_rights (kind, step, role) values ('accountMove', 'proposed', 'operator'), ('accountMove', 'approved', 'approver');

-- From now on nodes take no call for the account, and move it (transit/move-accounts.ts).
create function announce_move(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  comes_from int := (act.after ->> 'from')::int;
  goes_to int := (act.after ->> 'to')::int;
  known moved_accounts;
  number_of_move bigint;
begin
  select * into known from moved_accounts where account_no = act.target;
  number_of_move := greatest(coalesce(known.number, 0) + 1, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);
  if known.moving_to is not null then
    raise exception 'account % is moving to cell % already', act.target, known.moving_to using errcode = 'restrict_violation';
  end if;
  if coalesce(known.cell, comes_from) <> comes_from or comes_from = goes_to then
    raise exception 'account % is in cell %', act.target, coalesce(known.cell, comes_from) using errcode = 'restrict_violation';
  end if;
  if exists (select from unnest(array[comes_from, goes_to]) named where named <> 0 and named not in (select number from cells)) then
    raise exception 'home does not list both cells' using errcode = 'restrict_violation';
  end if;
  if exists (select from accounts a join merchants m on a.id in (m.settlement_account_id, m.payer_account_id) where a.account_no = act.target) then
    raise exception 'account % is a merchant''s, whose accounts are home''s', act.target using errcode = 'restrict_violation';
  end if;
  insert into moved_accounts (account_no, cell, moving_to, act_id, number, version)
    values (act.target, comes_from, goes_to, act.act_id, number_of_move, stamped)
    on conflict (account_no) do update set moving_to = excluded.moving_to, refusal = null, act_id = excluded.act_id, number = excluded.number,
      version = excluded.version;
  -- Nodes of earlier releases, which do not know of moved accounts, end now and start no more.
  update migrations set breaking = true where number = 62;
  return '{}';
end $$;

-- Home's last step of a move. `came_to`: the cell that decides on the account from now on; `why`: the reason where it has not moved.
create function finish_move(of_account text, of_move bigint, came_to int, why text) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  stamped bigint := bump_reference_version();
begin
  update moved_accounts set cell = came_to, moving_to = null, refusal = why, has_moved = has_moved or came_to = moving_to, version = stamped
    where account_no = of_account and number = of_move and moving_to is not null and came_to in (cell, moving_to);
  return found;
end $$;

-- The account takes no debit here any more, and what is credited to it goes on to the other cell. It can be repeated.
create function leave_account(of_account text, of_move bigint, goes_to int) returns void
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  a accounts;
  known account_moves;
begin
  -- Batches that decide on it wait, or are waited for.
  select * into a from accounts where account_no = of_account and purpose = 'customer' for no key update;
  if a.id is null then
    raise exception 'there is no account %', of_account using errcode = 'restrict_violation';
  end if;
  select * into known from account_moves where account_no = of_account;
  if known.number = of_move and known.moved_to = goes_to then return; end if;
  if known.number >= of_move then
    raise exception 'the move of account % is over', of_account using errcode = 'restrict_violation';
  end if;
  if a.status not in ('active', 'dormant', 'blocked') then
    raise exception 'account % is %', of_account, a.status using errcode = 'restrict_violation';
  end if;
  perform check_closing(a, true);
  if exists (select from payment_requests where payer_account_id = a.id and state = 'waiting' and expires_at > clock_timestamp()) then
    raise exception 'account % is asked to pay by a request that waits for its answer', of_account using errcode = 'restrict_violation';
  end if;
  if exists (select from open_acts where target = of_account and kind <> 'accountMove') then
    raise exception 'an act on account % is open', of_account using errcode = 'restrict_violation';
  end if;
  insert into account_moves (account_no, moved_to, number, status, minimum_balance)
    values (of_account, goes_to, of_move, a.status, coalesce(a.minimum_balance, 0))
    on conflict (account_no) do update set moved_to = excluded.moved_to, number = excluded.number, status = excluded.status,
      minimum_balance = excluded.minimum_balance;
  update accounts set status = 'moved', minimum_balance = 0 where id = a.id;
end $$;

-- Ends a move that shall not be, so that no node goes on with it. False: the account has left by it.
create function stay_account(of_account text, of_move bigint) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  a accounts;
  known account_moves;
begin
  select * into a from accounts where account_no = of_account for no key update;
  select * into known from account_moves where account_no = of_account;
  -- One that has left by an earlier move is in the other cell, and its row says so.
  if a.status in ('moved', 'arriving') or known.number >= of_move then
    return known.number is distinct from of_move or known.moved_to is null;
  end if;
  insert into account_moves (account_no, number, status, minimum_balance) values (of_account, of_move, 'active', 0)
    on conflict (account_no) do update set number = excluded.number, moved_to = null, arrives_from = null;
  return true;
end $$;

-- The account with the terms of the cell that it comes from, where it is not to be debited any more; nothing is on it yet.
create function receive_account(terms jsonb, of_move bigint, comes_from int) returns void
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  partners uuid[] := array(select jsonb_array_elements_text(terms -> 'partners')::uuid);
  of_account text := terms ->> 'accountNo';
  known accounts;
  before account_moves;
begin
  insert into accounts (id, account_no, name, currency, purpose, type, status, authorized_partner_ids, minimum_balance,
      limit_per_transfer, limit_daily, limit_daily_count, opened_at)
    values ((terms ->> 'id')::uuid, of_account, terms ->> 'name', terms ->> 'currency', 'customer', terms ->> 'type', 'arriving', partners, 0,
      (terms #>> '{limits,perTransaction}')::bigint, (terms #>> '{limits,daily}')::bigint, (terms #>> '{limits,dailyCount}')::int,
      to_timestamp((terms ->> 'at')::float8 / 1000))
    on conflict do nothing;
  if not found then
    select * into known from accounts where account_no = of_account for no key update;
    select * into before from account_moves m where m.account_no = of_account;
    if before.number >= of_move then return; end if;
    -- It was here before.
    if (known.status = 'moved' and known.currency = terms ->> 'currency') is not true then
      raise exception 'the cell has another account %', of_account using errcode = 'restrict_violation';
    end if;
    update accounts set name = terms ->> 'name', type = terms ->> 'type', status = 'arriving', authorized_partner_ids = partners,
        limit_per_transfer = (terms #>> '{limits,perTransaction}')::bigint, limit_daily = (terms #>> '{limits,daily}')::bigint,
        limit_daily_count = (terms #>> '{limits,dailyCount}')::int
      where id = known.id;
  end if;
  insert into account_moves (account_no, arrives_from, number, status, minimum_balance)
    values (of_account, comes_from, of_move, terms ->> 'status', (terms ->> 'minimumBalance')::bigint)
    on conflict (account_no) do update set moved_to = null, arrives_from = excluded.arrives_from, number = excluded.number,
      status = excluded.status, minimum_balance = excluded.minimum_balance;
end $$;

-- The account's terms apply, once what was on it is here. `mirror`: number of the account that mirrors what comes from that cell; `sent`: its version
-- behind which nothing of the account is left there. False: it has arrived before.
create function arrive_account(of_account text, of_move bigint, mirror text, sent bigint, day int, total bigint, debits int) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  a accounts;
  m account_moves;
begin
  select * into a from accounts where account_no = of_account for no key update;
  select * into m from account_moves where account_no = of_account and number = of_move and arrives_from is not null;
  if m.account_no is null then return false; end if;
  if sent > 0 and not exists (select from accounts where account_no = mirror and purpose = 'transit' and version >= sent) then
    raise exception 'the money of account % is not here yet', of_account using errcode = 'restrict_violation';
  end if;
  update accounts set status = m.status, minimum_balance = m.minimum_balance, daily_debit_date = day, daily_debit_total = total,
    daily_debit_count = debits where id = a.id;
  update account_moves set arrives_from = null where account_no = of_account;
  return true;
end $$;

-- As in 0057-cells.sql, but for one that moves to home.
drop trigger accounts_of_home on accounts;
create trigger accounts_of_home before insert on accounts
  for each row when (new.purpose = 'customer' and new.status <> 'arriving') execute function reject_account_of_cell();

-- As in 0044-changes-of-accounts.sql, and: its terms are those of the cell that it is in.
create or replace function lock_account_of(act act_steps) returns accounts language plpgsql set search_path from current as $$
declare
  found_one accounts;
  member text;
begin
  select * into found_one from accounts where account_no = act.target and purpose = 'customer' for no key update;
  if not found then
    raise exception 'there is no account %', act.target using errcode = 'restrict_violation';
  end if;
  if found_one.status in ('closed', 'moved', 'arriving') then
    raise exception 'account % is %', act.target, found_one.status using errcode = 'restrict_violation';
  end if;
  for member in select jsonb_object_keys(act.after - 'withMoney') loop
    if account_terms(found_one) -> member is distinct from act.before -> member then
      raise exception 'the % of account % is % by now, and was %', member, act.target,
        account_terms(found_one) -> member, coalesce(act.before -> member, 'null') using errcode = 'restrict_violation';
    end if;
  end loop;
  return found_one;
end $$;

-- As in 0061-numbers-of-grants.sql, and: an account has another id in each cell, so that its grants are found by its number, too.
create or replace function apply_grant_revocation(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  stamped bigint := bump_reference_version();
  ended int;
  -- An access token lives for 15 days; one that is signed elsewhere at this moment lives a moment longer.
  tokens_expire_at timestamptz := greatest((act.after ->> 'tokensExpireAt')::timestamptz, clock_timestamp() + interval '15 days 1 hour');
  account uuid := coalesce((select id from accounts where account_no = act.target), (act.after ->> 'accountId')::uuid);
begin
  with gone as (
    delete from customer_grants where partner = (select id from partners where partner_id = split_part(act.reference, ' ', 1))
      and (account_id = account or account_no = act.target) returning id)
  insert into ended_grants (id, version, expires_at) select id, stamped, tokens_expire_at from gone;
  get diagnostics ended = row_count;
  return jsonb_build_object('grants', ended);
end $$;

revoke execute on function announce_move, finish_move, leave_account, stay_account, receive_account, arrive_account from public;
