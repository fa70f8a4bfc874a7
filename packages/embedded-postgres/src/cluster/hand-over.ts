/** Gives a cluster's files to the account its server runs as. */
import { lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type ServerAccount, sharedUid } from "../server/server-account.ts";

/** Given away last: as long as it is another's, the cluster is not wholly handed over. */
const lastName = "PG_VERSION";

/** A cluster that an earlier release gave to the account that services share gets one of its own. */
export function takeFromShared(cluster: string, to: ServerAccount): void {
  const from = sharedUid();
  const isShared = from !== undefined && from !== to.uid && lstatSync(join(cluster, lastName)).uid === from;
  if (isShared) handOver(cluster, from, to);
}

/**
 * Every directory before what is in it: from then on its former owner can put nothing else there. What is not the former
 * owner's stays whose it is, though that one may have linked it here.
 */
export function handOver(cluster: string, from: number, to: ServerAccount): void {
  const give = (path: string) => {
    const found = lstatSync(path);
    if (found.uid !== from && found.uid !== to.uid) return;
    lchownSync(path, to.uid, to.gid);
    if (!found.isDirectory()) return;
    for (const name of readdirSync(path)) if (path !== cluster || name !== lastName) give(join(path, name));
  };
  give(cluster);
  give(join(cluster, lastName));
}
