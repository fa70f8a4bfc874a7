-- Grants of customers (service 74): a row each time a customer lets a partner have tokens for an account.
-- What is to be presented next is the row's generation: 0 is the authorization code, each later one a refresh token.
-- A use moves the row to its next generation, so that each is used once, and a grant is one row however long it lasts.

create table customer_grants (
  id uuid primary key,
  partner uuid not null references partners (id),
  account uuid not null references accounts (id),
  generation int not null check (generation >= 0),
  -- SHA-256 of the code or refresh token; its text is kept nowhere.
  hash bytea not null check (length(hash) = 32),
  expires_at timestamptz not null
);
-- Pruning asks for those that expired first.
create index customer_grants_expiry on customer_grants (expires_at);
