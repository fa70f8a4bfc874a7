-- concurrent
-- A node reads what changed after the version it has, in pages of (version, id): a million merchants are never read whole.
create index concurrently if not exists partners_by_version on partners (version, id);
create index concurrently if not exists merchants_by_version on merchants (version, id);
-- Revoking a customer's consent asks for the grants of a partner and an account.
create index concurrently if not exists customer_grants_by_account on customer_grants (account, partner);
