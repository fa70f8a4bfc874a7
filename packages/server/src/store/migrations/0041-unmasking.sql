-- Acts by which an operator sees personal data of one record unmasked for a while (docs/adr/0078-console-in-production.md): done at once, and
-- approved by nobody.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Reading: it changes nothing.
alter table act_kinds drop constraint act_kinds_effect_check;
alter table act_kinds add constraint act_kinds_effect_check check (effect in ('money', 'data', 'reading'));
insert into act_kinds (kind, effect) values ('unmasking', 'reading');
insert into act_rights (kind, step, role)
  select 'unmasking', 'proposed', role from unnest(array['support', 'operator', 'approver']) role;

-- Answers until when it holds. The same id again is the same act.
create function unmask_record(new_id uuid, record text, why text) returns timestamptz language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  added act_steps;
  known act_steps;
begin
  if why is null or concat_ws(' ', record, why) ~ '[[:cntrl:]]' then
    raise exception 'an unmasking has a record and a reason, without control characters' using errcode = 'invalid_parameter_value';
  end if;
  perform lock_act_chain();
  added.who := act_operator();
  perform check_act_right(added.who, 'unmasking', 'proposed');
  select * into known from act_steps s where s.act_id = new_id and s.step = 'proposed';
  if found then return known.expires_at; end if;
  added.act_id := new_id;
  added.step := 'proposed';
  added.kind := 'unmasking';
  added.target := record;
  added.reference := '';
  added.after := '{}';
  added.reason := why;
  added.expires_at := clock_timestamp() + interval '15 minutes';
  perform add_act_step(added);
  perform end_act(new_id, 'done', '{}');
  return added.expires_at;
end $$;

revoke execute on function unmask_record from public;
