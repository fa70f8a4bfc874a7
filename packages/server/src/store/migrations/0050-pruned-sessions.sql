-- Sessions of operators that are long over are removed by a job of the nodes: acts name operators, and none needs a session.

-- Functions that run with the owner's rights look for temporary tables last: a caller's must not stand for ours.
select set_config('search_path', current_setting('search_path') || ', pg_temp', true);

-- Answers how many went, 1,000 at most.
create function prune_operator_sessions(at_most int) returns int language plpgsql
  security definer set search_path from current set lock_timeout = '1s' as $$
declare
  pruned int;
begin
  delete from operator_sessions where id = any(array(
    select s.id from operator_sessions s where s.expires_at < clock_timestamp() - interval '90 days' limit least(at_most, 1000)));
  get diagnostics pruned = row_count;
  return pruned;
end $$;

revoke execute on function prune_operator_sessions from public;
