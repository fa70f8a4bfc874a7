-- concurrent
create index concurrently if not exists rejected_requests_intent on rejected_requests (partner_reference_key, request_fingerprint, sent_at) where request_fingerprint is not null;
