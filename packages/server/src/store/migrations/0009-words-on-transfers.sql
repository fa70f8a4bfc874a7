-- Whose word a return was, beside whose word the end was: a rail's, or an operator's decision. Null where it came back
-- before this was recorded, or by a node of the release before. Not validated, so that no row is read under the lock:
-- every row there is says whose word ended it, and none says yet who returned it.
alter table transfers add column returned_by text;
alter table transfers
  add constraint transfers_ended_by
    check (is_open = (ended_by is null) and (ended_by is null or ended_by in ('rail', 'operator'))) not valid,
  add constraint transfers_returned_by
    check (returned_by is null or (state = 'returned' and returned_by in ('rail', 'operator'))) not valid;
