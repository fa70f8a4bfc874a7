-- Pruning asks for the oldest refusals. A block range index finds them only until the room of pruned rows is used again:
-- its ranges never shrink, so that in the end every slice read the whole table.
drop index refusals_at;
create index refusals_at on refusals (at);
