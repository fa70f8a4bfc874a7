-- Functions look for tables, functions and operators in the schema of their tables alone, and for temporary tables last, whatever
-- the search_path of the session that calls them or whose statement fires them: a session of an operator or of another node of a
-- distributed engine has another one, and a caller's own tables and operators must not stand for ours. `"$user"`, which functions
-- made under the default path had in theirs, names a schema of whoever they run as.
-- Left out are SQL functions without a path: they name no table, and the planner writes them into the statements that call them.
do $$
declare
  ours oid;
begin
  for ours in
    select p.oid from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and (
      exists (select from unnest(p.proconfig) setting where setting like 'search\_path=%, pg\_temp')
      or p.proname = any(array[
        'changed_accounts_v1', 'create_like_parent', 'guard_partition', 'move_account', 'reject_act_change', 'reject_act_step_change',
        'reject_closed_hold_change', 'reject_difference_change', 'reject_entry_change', 'reject_environment_change',
        'reject_instruction_change', 'reject_key_change', 'reject_lease_going_back', 'reject_lost_hold', 'reject_opening',
        'reject_other_version', 'reject_request_change', 'reject_retired_change', 'reject_shared_public_key',
        'reject_truncated_holds', 'reject_unbalanced_journal', 'reject_uncounted_result', 'reject_unequal_closed_hold',
        'reject_unknown_adoption', 'reject_unknown_carried', 'require_reference', 'write_one_request_v1', 'write_short_batch_v1']))
  loop
    execute format('alter function %s set search_path = %I, pg_temp', ours::regprocedure, current_schema());
  end loop;
end $$;

-- As in 0006-partitions.sql, but those of the schema of the tables, whichever is the session's first.
-- Bounds are read of a parent's own partitions alone: reading them waits for whoever has locked the partition.
create or replace view partitions as
  select parent.relname::text as parent, child.relname::text as name,
    substring(bounds.of from 'FROM \(''([0-9a-f-]+)''\)')::uuid as from_id,
    substring(bounds.of from 'TO \(''([0-9a-f-]+)''\)')::uuid as to_id,
    bounds.of = 'DEFAULT' as is_default, child.oid as relation
  from pg_inherits i join pg_class parent on parent.oid = i.inhparent join pg_class child on child.oid = i.inhrelid
    cross join lateral (
      select case when parent.relkind = 'p' then pg_get_expr(child.relpartbound, child.oid) end as of) bounds
  where parent.relkind = 'p'
    and parent.relnamespace = (select pronamespace from pg_proc where oid = 'partitioned_by(text)'::regprocedure)
    and partitioned_by(parent.relname::text) is not null;
