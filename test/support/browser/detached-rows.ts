/** Rows that the console finds once partitions are detached. */
import { spoilRows } from "../database/with-client.ts";

/** The second entry of the account is gone, and a partition of requests of all times is noted as detached. */
export function detachRows(ownerUrl: string, accountNo: string, partition: string): Promise<void> {
  return spoilRows(ownerUrl, [
    `delete from entries where version = 2 and account_id = (select id from accounts where account_no = '${accountNo}')`,
    `insert into detached_partitions (name, parent, from_id, to_id) values ('${partition}', 'accepted_requests',
      '00000000-0000-7000-8000-000000000000', 'ffffffff-0000-7000-8000-000000000000')`,
  ]);
}
