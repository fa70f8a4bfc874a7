/** Check that the master key is the one that partners' secrets were sealed with, by how many of them open at start. */
import type { PartnerCredentials } from "../../interfaces/call.ts";
import { SealError } from "../../basics/secrets.ts";

/**
 * One secret that does not open may be damaged; a master key under which none opens is the wrong one. A single secret
 * that names our key is damaged all the same.
 * @throws SealError, saying what to set.
 */
export function checkMasterKey(partners: Iterable<PartnerCredentials>, unreadable: readonly SealError[]): void {
  const otherKeyIds = new Set(unreadable.flatMap(({ otherKeyId }) => otherKeyId ?? []));
  if (unreadable.length === 0 || (unreadable.length === 1 && otherKeyIds.size === 0)) return;
  for (const { secrets } of partners) if (secrets.length > 0) return;
  const [id] = otherKeyIds;
  const count =
    unreadable.length === 1
      ? "The only sealed client secret does not open"
      : `None of the ${unreadable.length} sealed client secrets opens`;
  const sealedBy = id === undefined ? "" : ` The key they name is ${[...otherKeyIds].slice(0, 3).join(", ")}.`;
  throw new SealError(
    `${count} with TITIAN_MASTER_KEY, which is probably not this database's.${sealedBy} Set the key that they were sealed with as TITIAN_MASTER_KEY, or as TITIAN_MASTER_KEY_PREVIOUS beside a new one.`,
    id,
  );
}
