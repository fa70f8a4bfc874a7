-- Cells: further databases, each with the accounts of some ranges of numbers (docs/adr/0093-cells.md). Home, the database with partners,
-- merchants and this table, is cell 0, and has all other numbers. A row is added by administration, and never changed.

create table cells (
  number smallint primary key check (number between 1 and 255),
  -- As the file of cells writes them: `5000000000-5999999999 7000000000-7499999999`.
  ranges text not null check (ranges <> ''),
  -- Of the first one: ids made before it are home's.
  added_at timestamptz not null
);

-- An account of a merchant or a customer may be in another cell. The code that adds them looks for it.
alter table merchants drop constraint merchants_settlement_account_id_fkey;
alter table merchants drop constraint merchants_payer_account_id_fkey;
alter table customer_grants drop constraint customer_grants_account_id_fkey;
