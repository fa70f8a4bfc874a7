-- Planned faults of the sandbox: what a partner's next calls meet (docs/sandbox.md). Empty in production.
create table planned_faults (
  -- UUIDv7: a partner's faults are met in the order of their ids.
  id uuid primary key,
  partner uuid not null references partners (id),
  -- One of 32 places of the partner: two nodes at once cannot plan more.
  place int not null check (place between 1 and 32),
  -- A name of `packages/sandbox/src/faults/planned-fault.ts`; a row of another release may hold one that this release does not know.
  fault text not null,
  -- Calls that are still to meet it.
  remaining int not null check (remaining > 0),
  delay_ms int not null check (delay_ms >= 0),
  -- Null: any operation but those that issue tokens.
  operation text,
  unique (partner, place)
);

-- Where they were kept before: the service's role could neither count nor remove them there.
delete from service_state where starts_with(name, 'sandboxFault.');
