-- Who may call and under which terms: copied by every node, refreshed when the version moves.
-- A change bumps the version and stamps the changed rows with it, so that a refresh reads only what is new.

create table reference_version (
  id int primary key check (id = 1),
  version bigint not null
);
insert into reference_version (id, version) values (1, 1);

create table partners (
  id uuid primary key,
  partner_id text not null unique check (length(partner_id) between 1 and 36),
  client_key text not null unique check (length(client_key) between 1 and 64),
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  signing text not null check (signing in ('symmetric', 'asymmetric')),
  channel_id text not null check (length(channel_id) between 1 and 5),
  settings json not null,
  version bigint not null,
  created_at timestamptz not null
);

-- Client secrets are sealed (AES-256-GCM); public keys are SPKI PEM. The two newest of a kind are valid.
create table partner_credentials (
  id uuid primary key,
  partner uuid not null references partners (id),
  kind text not null check (kind in ('secret', 'publicKey')),
  value text not null,
  created_at timestamptz not null
);
create index partner_credentials_partner on partner_credentials (partner);

create table merchants (
  id uuid primary key,
  partner uuid not null references partners (id),
  merchant_id text not null check (length(merchant_id) between 1 and 64),
  name text not null,
  status text not null check (status in ('active', 'suspended')),
  settlement_account uuid not null references accounts (id),
  payer_account uuid references accounts (id),
  settings json not null,
  version bigint not null,
  created_at timestamptz not null,
  unique (partner, merchant_id)
);

-- Small service-wide values: the sandbox's clock and modes.
create table service_state (
  name text primary key,
  value json not null
);
