-- What each detached partition held, as JSON, and the provider's signature of that text. Null: detached by an earlier release.
alter table detached_partitions add column record text, add column signature text;
