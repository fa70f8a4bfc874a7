-- The service: reference data, grants of customers, service state, the sandbox's simulated rails.
-- Units as in 0001-ledger.sql.

-- Version of the reference data: who may call, and under which terms. Every node keeps a copy and refreshes it when the
-- version moves. A change bumps the version and stamps the changed rows with it, so that a refresh reads only what is new.
create table reference_version (
  id int primary key check (id = 1),
  version bigint not null
);
insert into reference_version (id, version) values (1, 1);

-- Partners.
create table partners (
  id uuid primary key,
  -- X-PARTNER-ID.
  partner_id text not null unique check (length(partner_id) between 1 and 36),
  client_key text not null unique check (length(client_key) between 1 and 64),
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  signing text not null check (signing in ('symmetric', 'asymmetric')),
  -- The standard has five characters; a partner may be agreed more.
  channel_id text not null check (length(channel_id) between 1 and 36),
  settings json not null,
  version bigint not null,
  created_at timestamptz not null
);
-- Reference data that changed after a version is read in pages of (version, id).
create index partners_by_version on partners (version, id);

-- Credentials of partners: client secrets, sealed (AES-256-GCM), and public keys (SPKI PEM). The two newest of a kind are
-- valid.
create table partner_credentials (
  id uuid primary key,
  partner uuid not null references partners (id),
  kind text not null check (kind in ('secret', 'publicKey')),
  value text not null,
  created_at timestamptz not null
);
create index partner_credentials_partner on partner_credentials (partner);

-- A public key says who signed, so no two partners have the same. Changes of reference data come one at a time, so a look
-- before each insert is enough.
create function reject_shared_public_key() returns trigger language plpgsql as $$
begin
  if exists (
    select from partner_credentials where kind = 'publicKey' and value = new.value and partner <> new.partner
  ) then
    raise exception 'another partner has this public key'
      using errcode = 'unique_violation', constraint = 'partner_credentials_key_of_one';
  end if;
  return new;
end $$;

create trigger partner_credentials_key_of_one before insert on partner_credentials
  for each row when (new.kind = 'publicKey') execute function reject_shared_public_key();

-- Merchants of partners.
create table merchants (
  id uuid primary key,
  partner uuid not null references partners (id),
  merchant_id text not null check (length(merchant_id) between 1 and 64),
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  settlement_account_id uuid not null references accounts (id),
  payer_account_id uuid references accounts (id),
  settings json not null,
  version bigint not null,
  created_at timestamptz not null,
  unique (partner, merchant_id)
);
create index merchants_by_version on merchants (version, id);

-- Grants of customers (service 74): a row each time a customer lets a partner have tokens for an account.
-- A grant is one row however long it lasts: each use moves it to its next generation, so that each secret is used once.
create table customer_grants (
  id uuid primary key,
  partner uuid not null references partners (id),
  account_id uuid not null references accounts (id),
  -- Of the secret to be presented next: 0 is the authorization code, each later one a refresh token.
  generation int not null check (generation >= 0),
  -- SHA-256 of that code or refresh token; its text is kept nowhere.
  hash bytea not null check (length(hash) = 32),
  expires_at timestamptz not null
);
create index customer_grants_expiry on customer_grants (expires_at);
create index customer_grants_by_account on customer_grants (account_id, partner);

-- Grants that ended before their access tokens did. Reference data: nodes verify tokens without asking the database, and
-- reject those of the grants that they copied from here.
create table ended_grants (
  -- Of the grant, whose own row is gone.
  id uuid primary key,
  version bigint not null,
  -- When the last of its access tokens has expired; pruned then.
  expires_at timestamptz not null
);
create index ended_grants_by_version on ended_grants (version, id);
create index ended_grants_expiry on ended_grants (expires_at);

-- Service state: small service-wide values, such as the sandbox's clock and modes and the audit's watermark.
create table service_state (
  name text primary key,
  value json not null
);

-- Instructions that the sandbox's simulated rails received: the memory of the other side. Empty in production.
create table simulated_instructions (
  -- The idempotency key: a number names one instruction, whatever the rail.
  reference_no text primary key check (length(reference_no) between 1 and 64),
  rail text not null,
  -- Decimal text, as it was submitted.
  amount text not null,
  currency text not null,
  bank_code text not null,
  account_no text not null,
  -- A name of `rails/simulated/scenarios.ts`; a row of another release may hold one that this release does not know.
  outcome text not null,
  -- Submitted while the rail was unresponsive: not processed yet.
  is_unprocessed boolean not null,
  submitted_at timestamptz not null,
  -- When it settles or is rejected; null: not by itself.
  final_at timestamptz,
  -- When it is returned; null: not by itself.
  returned_at timestamptz,
  -- Which of its two results were collected.
  final_acknowledged boolean not null,
  return_acknowledged boolean not null,
  constraint unprocessed_is_not_final check (not (is_unprocessed and final_at is not null)),
  constraint returned_after_settled check (returned_at is null or returned_at >= final_at)
);

create index simulated_results_final on simulated_instructions (rail, final_at) where not final_acknowledged;
create index simulated_results_returned on simulated_instructions (rail, returned_at)
  where returned_at is not null and not return_acknowledged;
create index simulated_instructions_unprocessed on simulated_instructions (rail) where is_unprocessed;
