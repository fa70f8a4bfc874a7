-- Until when a caller waits for the result at the node that asked for the export (ADR 0064): the node that reads results leaves it
-- to that node for a moment. Null: no caller, or a node of a release before.
alter table rail_instructions add column awaited_until timestamptz;
