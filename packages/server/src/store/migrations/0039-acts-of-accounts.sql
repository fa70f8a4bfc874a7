-- Withdrawals, corrections and moves (docs/adr/0079-withdrawals-corrections-moves.md): acts that move money by the entries that they
-- were approved with.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

insert into act_kinds (kind, effect) select kind, 'money' from unnest(array['withdrawal', 'correction', 'move']) kind;
insert into act_rights (kind, step, role)
select kind, step, role from unnest(array['withdrawal', 'correction', 'move']) kind,
  (values ('proposed', 'operator'), ('approved', 'approver')) steps (step, role);

-- Its approver is shown the target and the amount; a node moves the entries.
create function check_act_entries() returns trigger language plpgsql set search_path from current as $$
declare
  entries text := new.after ->> 'entries';
  debited numeric;
  rest numeric;
  currencies int;
begin
  if coalesce(entries !~ '^\S+ -?[1-9][0-9]{0,18} [A-Z]{3}(, \S+ -?[1-9][0-9]{0,18} [A-Z]{3})*$', true) then
    raise exception 'an act of the kind % has entries', new.kind using errcode = 'invalid_parameter_value';
  end if;
  select sum(amount), -sum(amount) filter (where amount < 0), count(distinct currency)
    into rest, debited, currencies
    from (select split_part(entry, ' ', 2)::numeric as amount, split_part(entry, ' ', 3) as currency
      from regexp_split_to_table(entries, ', ') entry) e;
  if rest <> 0 or currencies <> 1 or debited::text is distinct from new.after ->> 'amount' then
    raise exception 'the entries of the act do not come to its amount' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from regexp_split_to_table(entries, ', ') entry where split_part(entry, ' ', 1) = new.target) then
    raise exception 'the act on % is about another account', new.target using errcode = 'invalid_parameter_value';
  end if;
  return new;
end $$;
create trigger act_steps_entries before insert on act_steps for each row
  when (new.kind in ('withdrawal', 'correction', 'move')) execute function check_act_entries();
