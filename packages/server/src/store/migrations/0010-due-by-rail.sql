-- Each rail is looked after by itself. By time alone, every look at one rail read all that is due on the others: on one
-- that no node is connected to, all that was ever accepted.
create index transfers_due_of_rail on transfers (rail, due_at, id) where is_open;
drop index transfers_due;
