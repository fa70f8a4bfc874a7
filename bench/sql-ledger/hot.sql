\set party random(2, :accounts)
\set pays random(0, 1)
\set one case when :pays = 1 then 1 else :party end
\set other case when :pays = 1 then :party else 1 end
\set n :n + 1
select create_transfer(:run::text || lpad((:client_id)::text, 4, '0') || lpad((:n)::text, 8, '0'), :one, :other, 100);
