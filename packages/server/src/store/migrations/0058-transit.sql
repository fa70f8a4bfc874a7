-- Accounts between two cells (docs/adr/0094): what goes to another cell is only ever credited, and what comes from one only ever
-- debited. Read at every update of a balance, so it looks at the purpose first. No account of before is one.
alter table accounts add constraint accounts_transit
  check (purpose <> 'transit' or case when account_no like 'transit:in:%' then balance <= 0 else balance >= 0 end) not valid;
