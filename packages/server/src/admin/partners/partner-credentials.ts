/** A partner's credentials: client secrets, sealed at rest, and public keys. Two of a kind may be valid (spec D3). */
import { newId } from "../../basics/ids.ts";
import { SealError, type Secrets } from "../../basics/secrets.ts";
import type { StatementClient } from "../../store/postgres/connect.ts";
import { findPartner, type PartnerRow } from "../../store/reference/reference.ts";
import {
  addCredential,
  isPublicKeyTaken,
  removeCredentials,
  type Stamp,
  writePartner,
} from "../../store/reference/reference-changes.ts";
import { normalizePublicKey, rejectPublicKeys, rejectSecret, rejectTakenKey } from "../partner-input.ts";
import { changeExisting, type ReferenceDeps } from "../reference/reference-change.ts";
import { secretContext } from "../reference/reference-copy.ts";
import { type AdminResult, done } from "../result.ts";

/**
 * Credentials to add to a partner's; the newest two of a kind stay valid, or only the new one with `retire`. A new secret
 * ends those that are damaged: they can verify nothing any more.
 */
export interface NewCredentials {
  readonly secret?: string;
  /** RSA in PEM. */
  readonly publicKey?: string;
  /** Ends the older credentials of the kinds given at once. */
  readonly retire?: boolean;
}

export function rotateCredentials(
  deps: ReferenceDeps,
  partnerId: string,
  { secret, publicKey, retire = false }: NewCredentials,
): Promise<AdminResult<PartnerRow>> {
  const invalid = secret === undefined ? undefined : rejectSecret(secret);
  if (invalid) return Promise.resolve(invalid);
  const pem = publicKey === undefined ? undefined : normalizePublicKey(publicKey);
  if (publicKey !== undefined && pem === undefined) return Promise.resolve(rejectPublicKeys([publicKey]));
  return changeExisting(deps, partnerId, async (client, partner, stamp) => {
    const keep = retire ? 1 : undefined;
    if (pem !== undefined && (await isPublicKeyTaken(client, [pem], partnerId))) return rejectTakenKey();
    // Before a new one is added, which would push a good older one out and leave the damaged one.
    const damaged = partner.sealedSecrets.filter((sealed) => isDamaged(deps.secrets, partner.key, sealed));
    if (secret !== undefined) await removeCredentials(client, partner.key, damaged);
    // A repeated rotation must not push the one before it out.
    if (secret !== undefined && (retire || !opensTo(deps.secrets, partner.key, partner.sealedSecrets[0], secret))) {
      await addSecret(deps.secrets, client, partner.key, secret, stamp, keep);
    }
    if (pem !== undefined && (retire || partner.publicKeys[0] !== pem)) {
      await addPublicKey(client, partner.key, pem, stamp, keep);
    }
    await writePartner(client, partner, stamp);
    return done((await findPartner(client, partnerId)) ?? partner);
  });
}

export function addSecret(
  secrets: Secrets,
  client: StatementClient,
  partnerKey: string,
  secret: string,
  stamp: Stamp,
  keep?: number,
): Promise<void> {
  const value = secrets.seal(secret, secretContext(partnerKey));
  return addCredential(client, partnerKey, { id: newId(), kind: "secret", value }, stamp, keep);
}

export function addPublicKey(
  client: StatementClient,
  partnerKey: string,
  pem: string,
  stamp: Stamp,
  keep?: number,
): Promise<void> {
  return addCredential(client, partnerKey, { id: newId(), kind: "publicKey", value: pem }, stamp, keep);
}

/** True when the sealed text opens under no key; one that names another master key may open where that is set. */
function isDamaged(secrets: Secrets, partnerKey: string, sealed: string): boolean {
  try {
    secrets.open(sealed, secretContext(partnerKey));
    return false;
  } catch (error) {
    return error instanceof SealError && error.otherKeyId === undefined;
  }
}

/** True when the sealed text is this secret; one sealed by a lost master key is not. */
export function opensTo(
  secrets: Secrets,
  partnerKey: string,
  sealed: string | undefined,
  secret: string | undefined,
): boolean {
  if (sealed === undefined) return secret === undefined;
  try {
    return secrets.open(sealed, secretContext(partnerKey)) === secret;
  } catch {
    return false;
  }
}
