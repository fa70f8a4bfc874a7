-- Cells: databases with accounts of their own beside this one, their home (docs/adr/0093-cells.md). A further cell's
-- own table of them stays empty.

-- As in 0056-functions-in-their-schema.sql: functions look in the schema of the tables alone, and for temporary tables last.
select set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Merchants and consents are home's, and their accounts may lie in another cell: what writes them looks there.
alter table merchants drop constraint merchants_settlement_account_id_fkey, drop constraint merchants_payer_account_id_fkey;
alter table customer_grants drop constraint customer_grants_account_id_fkey;

create table cells (
  -- The last byte of ids that are made there.
  number smallint primary key check (number between 1 and 255),
  -- Account numbers that are the cell's, as [{"from": "2000", "to": "2999"}]: those of that length between both, compared as texts.
  ranges json not null check (json_array_length(ranges) > 0),
  -- By the database's clock; of the first that was added, the switch: ids made before it are home's, whatever byte they end in.
  added_at timestamptz not null,
  -- Of the reference data that it came with.
  version bigint not null
);

-- An account that lies here with a number of a cell's would be found by nobody.
create function reject_account_of_cell() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from cells c, json_to_recordset(c.ranges) as r ("from" text, "to" text)
      where length(new.account_no) = length(r.from) and new.account_no collate "C" between r.from and r.to) then
    raise exception 'the account number is one of another cell''s' using errcode = 'check_violation', constraint = 'accounts_of_home';
  end if;
  return new;
end $$;

create trigger accounts_of_home before insert on accounts
  for each row when (new.purpose = 'customer') execute function reject_account_of_cell();

-- Lists a cell. False: it is listed so already. `since`: an id below that of every account that is added
-- meanwhile. The first look, at all accounts, takes its time and hinders nobody; the second, at newer ones, holds up everybody else.
create function add_cell(cell int, of_numbers json, since uuid) returns boolean
  language plpgsql security definer set search_path from current set lock_timeout = '2s' as $$
declare
  known cells;
  other int;
  stamped bigint;
begin
  if exists (select from json_to_recordset(of_numbers) as r ("from" text, "to" text)
      where (r.from ~ '^[A-Za-z0-9]+$' and r.to ~ '^[A-Za-z0-9]+$' and length(r.from) = length(r.to) and r.from collate "C" <= r.to) is not true) then
    raise exception 'account numbers are not two of one length, of letters and digits, the lower one first' using errcode = 'restrict_violation';
  end if;
  -- One change of reference data at a time.
  perform from reference_version where id = 1 for update;
  select * into known from cells where number = cell;
  if known.number is not null and known.ranges::text = of_numbers::text then return false; end if;
  if known.number is not null then
    raise exception 'cell % has other account numbers already', cell using errcode = 'restrict_violation';
  end if;
  select c.number into other from cells c, json_to_recordset(c.ranges) as a ("from" text, "to" text),
      json_to_recordset(of_numbers) as b ("from" text, "to" text)
    where length(a.from) = length(b.from) and a.from collate "C" <= b.to and b.from collate "C" <= a.to limit 1;
  if other is not null then
    raise exception 'cell % has some of these account numbers', other using errcode = 'restrict_violation';
  end if;
  if exists (select from accounts a, json_to_recordset(of_numbers) as r ("from" text, "to" text)
      where a.purpose = 'customer' and length(a.account_no) = length(r.from) and a.account_no collate "C" between r.from and r.to) then
    raise exception 'home has accounts with these numbers' using errcode = 'restrict_violation';
  end if;
  -- An act that is open keeps the id that its account got with its proposal.
  if exists (select from open_acts o, json_to_recordset(of_numbers) as r ("from" text, "to" text)
      where o.kind in ('opening', 'accountOpening') and length(o.target) = length(r.from) and o.target collate "C" between r.from and r.to) then
    raise exception 'an act that opens an account with one of these numbers is open' using errcode = 'restrict_violation';
  end if;
  lock table accounts in share row exclusive mode;
  if exists (select from accounts a, json_to_recordset(of_numbers) as r ("from" text, "to" text)
      where a.id > since and a.purpose = 'customer' and length(a.account_no) = length(r.from)
        and a.account_no collate "C" between r.from and r.to) then
    raise exception 'home has accounts with these numbers' using errcode = 'restrict_violation';
  end if;
  -- Nodes of earlier releases, which do not know of cells, end now and start no more.
  update migrations set breaking = true where number = 57;
  update reference_version set version = version + 1 where id = 1 returning version into stamped;
  insert into cells (number, ranges, added_at, version) values (cell, of_numbers, clock_timestamp(), stamped);
  return true;
end $$;

revoke execute on function add_cell from public;
