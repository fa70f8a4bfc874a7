-- concurrent
-- Accounts of merchants in a cell that has not their settlement accounts (docs/adr/0096): those with money are looked for every few seconds.
create index concurrently if not exists accounts_of_merchants on accounts (account_no) where purpose = 'merchant';
