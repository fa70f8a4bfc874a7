-- Accounts without money are opened by acts, too (docs/adr/0079-withdrawals-corrections-moves.md): so an operator opens one without any right on
-- the table. With money a node opens it, in the commit of its journal.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

insert into act_kinds (kind, effect, apply) values ('accountOpening', 'data', 'open_account');
insert into act_rights (kind, step, role) values ('accountOpening', 'proposed', 'operator'), ('accountOpening', 'approved', 'approver');

create function open_account(act act_steps) returns jsonb language plpgsql set search_path from current as $$
declare
  terms jsonb := act.after;
begin
  if act.target !~ '^[0-9A-Za-z][0-9A-Za-z._-]{0,33}$' or coalesce(length(terms ->> 'name') not between 1 and 100, true)
      or coalesce(terms ->> 'currency' !~ '^[A-Z]{3}$', true) or coalesce(terms ->> 'type' not in ('D', 'S'), true)
      or coalesce(terms ->> 'status' not in ('active', 'dormant', 'blocked', 'closed'), true) then
    raise exception 'the act on account % cannot be read', act.target using errcode = 'restrict_violation';
  end if;
  insert into accounts (id, account_no, name, currency, purpose, type, status, authorized_partner_ids, minimum_balance,
      limit_per_transfer, limit_daily, limit_daily_count, opened_at)
    values (act.reference::uuid, act.target, terms ->> 'name', terms ->> 'currency', 'customer', terms ->> 'type', terms ->> 'status',
      array(select jsonb_array_elements_text(terms -> 'partners')::uuid), 0, (terms #>> '{limits,perTransaction}')::bigint,
      (terms #>> '{limits,daily}')::bigint, (terms #>> '{limits,dailyCount}')::int, act.at);
  return '{}';
end $$;

revoke execute on function open_account from public;
