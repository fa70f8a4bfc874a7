\set one random_zipfian(1, :accounts, 1.07)
\set drawn random_zipfian(1, :accounts, 1.07)
\set other case when :drawn = :one then :one % :accounts + 1 else :drawn end
\set n :n + 1
select create_transfer(:run::text || lpad((:client_id)::text, 4, '0') || lpad((:n)::text, 8, '0'), :one, :other, 100);
