-- Acts: why money moved that no partner asked for. Written by administration alone, in the commit of their journals; never
-- changed or deleted. Units as in 0001-ledger.sql.
create table acts (
  -- UUIDv7, of the command.
  id uuid primary key,
  kind text not null check (length(kind) between 1 and 32),
  -- For people.
  reason text not null check (length(reason) between 1 and 500),
  -- The journal that it moved money in, and its entries in the audit's form: whoever adds one to it is found.
  journal_id uuid not null unique,
  entries text not null,
  at timestamptz not null
);

create function reject_act_change() returns trigger language plpgsql as $$
begin
  raise exception 'acts are never changed or deleted' using errcode = 'restrict_violation';
end $$;

create trigger acts_immutable before update or delete or truncate on acts
  for each statement execute function reject_act_change();

-- Releases before this one kept no acts: each opening balance of theirs gets one here, and none that comes later does.
insert into acts (id, kind, reason, journal_id, entries, at)
select journal_id, 'opening', 'opening balance, recorded by an earlier release', journal_id,
  string_agg(entry, ', ' order by entry collate "C"), min(created_at)
from (
  select e.journal_id, e.created_at, format('%s %s %s', a.account_no, e.amount, e.currency) as entry
  from entries e join accounts a on a.id = e.account_id where e.kind = 1) openings
group by journal_id;
