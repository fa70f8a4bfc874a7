-- Guards of account moves (docs/adr/0098-account-moves.md): an account leaves its cell by an announced move alone, a refused move stays refused
-- while the account is arriving, too, and no merchant's account leaves home. And the record of the cell that a database is stays as `titian cells add`
-- has written it.

-- As in 0056-functions-in-their-schema.sql: functions look in the schema of the tables alone, and for temporary tables last.
select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- The last move that was refused in this cell; 0: none.
alter table account_moves add column refused bigint not null default 0;

create function is_home() returns boolean language sql stable set search_path from current as $$
  select not exists (select from service_state where name = 'cell' and (value ->> 'number')::int > 0)
$$;

-- A further cell does not have what home has announced: there the service's role is trusted with it.
create function check_leaving() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' and new.number = old.number then return null; end if;
  if new.number <= new.refused then
    raise exception 'the move of account % is over', new.account_no using errcode = 'restrict_violation';
  end if;
  -- One that was registered since the move was announced.
  if exists (select from accounts a join merchants m on a.id in (m.settlement_account_id, m.payer_account_id) where a.account_no = new.account_no) then
    raise exception 'account % is a merchant''s, whose accounts are home''s', new.account_no using errcode = 'restrict_violation';
  end if;
  if is_home() and not exists (select from moved_accounts where account_no = new.account_no and number = new.number and moving_to = new.moved_to) then
    raise exception 'home has announced no such move of account %', new.account_no using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger account_moves_leaving after insert or update on account_moves
  for each row when (new.moved_to is not null) execute function check_leaving();

-- The terms of one that was here before come with a move that home has announced.
create function check_coming_back() returns trigger language plpgsql set search_path from current as $$
begin
  if is_home() and not exists (select from moved_accounts
      where account_no = new.account_no and number >= new.number and coalesce(moving_to, cell) = 0) then
    raise exception 'home has announced no move of account % to it', new.account_no using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger account_moves_coming_back after update on account_moves
  for each row when (old.moved_to is not null and new.arrives_from is not null) execute function check_coming_back();

-- As in 0062-account-moves.sql, but for the number, which it leaves as it is.
create or replace function stay_account(of_account text, of_move bigint) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  known account_moves;
begin
  perform from accounts where account_no = of_account for no key update;
  select * into known from account_moves where account_no = of_account;
  if known.number = of_move and known.moved_to is not null then return false; end if;
  if is_home() and not exists (select from moved_accounts where account_no = of_account and number >= of_move) then
    raise exception 'home has announced no such move of account %', of_account using errcode = 'restrict_violation';
  end if;
  insert into account_moves (account_no, number, refused, status, minimum_balance) values (of_account, 0, of_move, 'active', 0)
    on conflict (account_no) do update set refused = greatest(account_moves.refused, excluded.refused);
  return true;
end $$;

-- One that leaves meanwhile waits, or is waited for.
create function check_merchant_accounts() returns trigger language plpgsql set search_path from current as $$
begin
  perform from accounts where id in (new.settlement_account_id, new.payer_account_id) order by id for share;
  if exists (select from accounts where id in (new.settlement_account_id, new.payer_account_id) and status in ('moved', 'arriving')) then
    raise exception 'an account of the merchant is in another cell' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger merchants_accounts before insert or update of settlement_account_id, payer_account_id on merchants
  for each row execute function check_merchant_accounts();

-- By it home is told from further cells.
create function keep_cell_record() returns trigger language plpgsql set search_path from current as $$
begin
  if not has_function_privilege(current_user, 'add_cell(int, json, uuid)', 'execute') then
    raise exception 'the record of the cell is administration''s' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'UPDATE' and new.value::text <> old.value::text then
    raise exception 'the database stays the cell that it is' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create trigger cell_record_kept before insert or update on service_state
  for each row when (new.name = 'cell') execute function keep_cell_record();

revoke execute on function check_leaving, check_coming_back, check_merchant_accounts, keep_cell_record from public;
