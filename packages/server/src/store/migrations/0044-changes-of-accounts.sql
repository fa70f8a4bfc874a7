-- Changes of accounts by acts (docs/adr/0079-withdrawals-corrections-moves.md): status, name, limits, minimum balance and the partners that may
-- debit it. An account is blocked at once, and anything else is changed once it is approved.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

insert into act_kinds (kind, effect, at_once, apply, undo) values
  ('blocking', 'data', true, 'block_account', 'unblock_account'), ('accountChange', 'data', false, 'change_account', null);
insert into act_rights (kind, step, role) values
  ('blocking', 'proposed', 'operator'), ('blocking', 'proposed', 'approver'), ('blocking', 'approved', 'approver'),
  ('accountChange', 'proposed', 'operator'), ('accountChange', 'approved', 'approver');

-- What acts change of an account, as an act keeps it (admin/accounts/change-account.ts).
create function account_terms(a accounts) returns jsonb language sql immutable as $$
  select jsonb_build_object('status', a.status, 'name', a.name, 'minimumBalance', a.minimum_balance::text,
    'partners', to_jsonb(a.authorized_partner_ids), 'limits', jsonb_strip_nulls(jsonb_build_object(
      'perTransaction', a.limit_per_transfer::text, 'daily', a.limit_daily::text, 'dailyCount', a.limit_daily_count)))
$$;

-- Locks the account of a customer, which batches that decide on it wait for, and compares it with what the act's approver has read.
create function lock_account_of(act act_steps) returns accounts language plpgsql set search_path from current as $$
declare
  found_one accounts;
  member text;
begin
  select * into found_one from accounts where account_no = act.target and purpose = 'customer' for no key update;
  if not found then
    raise exception 'there is no account %', act.target using errcode = 'restrict_violation';
  end if;
  if found_one.status = 'closed' then
    raise exception 'account % is closed', act.target using errcode = 'restrict_violation';
  end if;
  for member in select jsonb_object_keys(act.after - 'withMoney') loop
    if account_terms(found_one) -> member is distinct from act.before -> member then
      raise exception 'the % of account % is % by now, and was %', member, act.target,
        account_terms(found_one) -> member, coalesce(act.before -> member, 'null') using errcode = 'restrict_violation';
    end if;
  end loop;
  return found_one;
end $$;

create function block_account(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  found_one accounts := lock_account_of(act);
begin
  if act.after <> '{"status": "blocked"}' or found_one.status = 'blocked' then
    raise exception 'account % is not blocked by this act', act.target using errcode = 'restrict_violation';
  end if;
  update accounts set status = 'blocked' where id = found_one.id;
  return '{}';
end $$;

-- One that was closed since stays closed.
create function unblock_account(act act_steps) returns jsonb language plpgsql set search_path from current as $$
begin
  update accounts set status = act.before ->> 'status' where account_no = act.target and status = 'blocked';
  return '{}';
end $$;

create function change_account(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  found_one accounts := lock_account_of(act);
  shall_be jsonb := account_terms(found_one) || act.after;
begin
  if shall_be ->> 'status' not in ('active', 'dormant', 'blocked', 'closed') then
    raise exception 'there is no status %', shall_be ->> 'status' using errcode = 'restrict_violation';
  end if;
  if found_one.status = 'blocked' and shall_be ->> 'status' <> 'blocked' then
    perform supersede_acts('blocking', act, '{}');
  end if;
  if shall_be ->> 'minimumBalance' is null then
    raise exception 'an account has a minimum balance' using errcode = 'restrict_violation';
  end if;
  if shall_be ->> 'status' = 'closed' then perform check_closing(found_one, act.after -> 'withMoney' = 'true'); end if;
  update accounts set status = shall_be ->> 'status', name = shall_be ->> 'name',
      minimum_balance = (shall_be ->> 'minimumBalance')::bigint,
      authorized_partner_ids = array(select jsonb_array_elements_text(shall_be -> 'partners')::uuid),
      limit_per_transfer = (shall_be #>> '{limits,perTransaction}')::bigint,
      limit_daily = (shall_be #>> '{limits,daily}')::bigint, limit_daily_count = (shall_be #>> '{limits,dailyCount}')::int
    where id = found_one.id;
  return '{}';
exception when data_exception then
  raise exception 'the act on account % cannot be read', act.target using errcode = 'restrict_violation';
end $$;

-- The caller has the account's lock: nothing is held or debited meanwhile.
create function check_closing(a accounts, with_money boolean) returns void language plpgsql set search_path from current as $$
begin
  if a.held <> 0 then
    raise exception 'something is held on account %', a.account_no using errcode = 'restrict_violation';
  end if;
  if a.balance <> 0 and with_money is not true then
    raise exception 'there is money on account %', a.account_no using errcode = 'restrict_violation';
  end if;
  if exists (select from transfers where source_account_id = a.id and is_open and bulk_id is null)
      or exists (select from bulks where source_account_id = a.id and is_open) then
    raise exception 'a transfer from account % is under way', a.account_no using errcode = 'restrict_violation';
  end if;
end $$;

revoke execute on function account_terms, lock_account_of, block_account, unblock_account, change_account, check_closing from public;
