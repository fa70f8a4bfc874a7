-- The database's own proof that every journal balances in every currency, one check for each statement. Entries carry
-- their account's currency for it: looking it up in accounts took a tenth of a flight.
create function refuse_unbalanced_journal() returns trigger language plpgsql as $$
begin
  if exists (
    select from added group by journal_id, currency having sum(amount) <> 0
  ) then
    raise exception 'a journal does not balance' using errcode = 'check_violation', constraint = 'entries_balanced';
  end if;
  return null;
end $$;

create trigger entries_balanced after insert on entries
  referencing new table as added for each statement execute function refuse_unbalanced_journal();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries are never changed or deleted' using errcode = 'restrict_violation';
end $$;

create trigger entries_immutable before update or delete or truncate on entries
  for each statement execute function refuse_change();
