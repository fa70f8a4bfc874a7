-- concurrent
-- Lines by the time of their commands, for the audit of what came since: they are added in about that order.
create index concurrently if not exists hold_lines_command on hold_lines
  using brin (command) with (pages_per_range = 16, autosummarize = on);
