/** SQL of a server's name: another for each server, and for each start of one. */
export const serverName = "extract(epoch from pg_postmaster_start_time())::text";
