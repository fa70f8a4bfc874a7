\set one random(1, :accounts)
\set other (:one - 1 + random(1, :accounts - 1)) % :accounts + 1
\set n :n + 1
select create_transfer(:run::text || lpad((:client_id)::text, 4, '0') || lpad((:n)::text, 8, '0'), :one, :other, 100);
