-- Customers' grants that ended before their access tokens did. Reference data: every node copies what is new by its
-- version and refuses the tokens of these grants, which it verifies without asking the database.
create table ended_grants (
  -- Of the grant, whose own row is gone.
  id uuid primary key,
  version bigint not null,
  -- When the last of its access tokens has expired (business time); pruned then.
  expires_at timestamptz not null
);
create index ended_grants_by_version on ended_grants (version, id);
create index ended_grants_expiry on ended_grants (expires_at);
