/** A partner's credentials: client secrets, sealed at rest, and public keys. Two of a kind may be valid (spec D3). */
import { sealClientSecret, type SealingKey } from "../../basics/client-secret-seal.ts";
import { newId } from "../../basics/ids.ts";
import { type OpenedSecret, SealError, unknownSecret } from "../../basics/secrets.ts";
import { type CredentialRow, findPartner, type PartnerRow } from "../../store/reference/reference.ts";
import { isPublicKeyTaken } from "../../store/reference/reference-changes.ts";
import { readSealingKey } from "../../store/reference/sealing-key.ts";
import { normalizePublicKey, rejectPublicKeys, rejectSecret, rejectTakenKey } from "../partner-input.ts";
import { type ActWords, proposeChange, repeatWhenChanged } from "../reference/reference-act.ts";
import type { ReferenceDeps } from "../reference/reference-change.ts";
import { type OpenedSecrets, openSecrets } from "../reference/reference-copy.ts";
import { AdminError, type AdminResult, done, rejected, rejectRetired, rejectUnknownPartner } from "../result.ts";

/** Time for which an older credential stays good beside a new one (ms). */
export const defaultOverlapMs = 7 * 86_400_000;
const overlapMostMs = 365 * 86_400_000;

/** Credentials to add to a partner's. A new secret ends those that are damaged: they can verify nothing any more. */
export interface NewCredentials extends ActWords {
  readonly secret?: string;
  /** RSA in PEM. */
  readonly publicKey?: string;
  /** Time for which the older credentials of the kinds given stay good (ms); 0 ends them at once, absent: 7 days. */
  readonly overlapMs?: number;
}

/** A credential as an act has it. */
type AddedCredential = Pick<CredentialRow, "id" | "kind" | "value">;

/** A credential that an act ends; without a time at once. */
interface EndedCredential {
  readonly id: string;
  /** RFC 3339. */
  readonly expiresAt?: string;
}

export async function rotateCredentials(
  deps: ReferenceDeps,
  partnerId: string,
  { secret, publicKey, overlapMs = defaultOverlapMs, ...words }: NewCredentials,
): Promise<AdminResult<PartnerRow>> {
  const invalid = (secret === undefined ? undefined : rejectSecret(secret)) ?? rejectOverlap(overlapMs);
  if (invalid) return invalid;
  const pem = publicKey === undefined ? undefined : normalizePublicKey(publicKey);
  if (publicKey !== undefined && pem === undefined) return rejectPublicKeys([publicKey]);
  return repeatWhenChanged(() => addCredentials(deps, partnerId, { secret, pem, overlapMs, ...words }));
}

interface GivenCredentials extends ActWords {
  readonly secret: string | undefined;
  readonly pem: string | undefined;
  readonly overlapMs: number;
}

async function addCredentials(
  deps: ReferenceDeps,
  partnerId: string,
  { secret, pem, overlapMs, ...words }: GivenCredentials,
): Promise<AdminResult<PartnerRow>> {
  const { database, credentials: reads = database, secrets, clock } = deps;
  const partner = await findPartner(reads, partnerId);
  if (!partner) return rejectUnknownPartner();
  if (partner.status === "retired") return rejectRetired();
  if (pem !== undefined && (await isPublicKeyTaken(reads, [pem], partnerId))) return rejectTakenKey();
  const given: AddedCredential[] = [];
  const isAtOnce = overlapMs === 0;
  const opened = await openSecrets(secrets, partner);
  // A repeated rotation must not push the one before it out.
  const newest = newestOf(partner, "secret");
  if (secret !== undefined && (isAtOnce || newest === undefined || opened.get(newest.id) !== secret)) {
    if (!isAtOnce && isRepeatUnclear(partner, opened, clock.now())) return rejectUnclearRepeat();
    given.push(await newSecretOf(await needSealingKey(deps), partner.key, secret));
  }
  if (pem !== undefined && (isAtOnce || newestOf(partner, "publicKey")?.value !== pem)) given.push(newKeyOf(pem));
  if (given.length === 0) return done(partner);
  const kinds = new Set(given.map(({ kind }) => kind));
  const expiresAt = new Date(clock.now() + overlapMs).toISOString();
  const ended = partner.credentials
    .filter(({ kind }) => kinds.has(kind))
    .flatMap((one): readonly EndedCredential[] => {
      if (isAtOnce || isDamaged(opened.get(one.id))) return [{ id: one.id }];
      return one.expiresAt === null ? [{ id: one.id, expiresAt }] : [];
    });
  return changeKeys(deps, partner, { credentials: given, end: ended }, words);
}

/** Ends one credential at once, of another than the last of its kind. */
export async function retireCredential(
  deps: ReferenceDeps,
  partnerId: string,
  { kind, id, ...words }: ActWords & Pick<CredentialRow, "kind" | "id">,
): Promise<AdminResult<PartnerRow>> {
  const partner = await findPartner(deps.credentials ?? deps.database, partnerId);
  if (!partner) return rejectUnknownPartner();
  if (partner.status === "retired") return rejectRetired();
  const ofKind = partner.credentials.filter((one) => one.kind === kind);
  const what = kind === "secret" ? "client secret" : "public key";
  if (!ofKind.some((one) => one.id === id))
    return rejected("invalidField", `The partner has no ${what} of this id: titian partner show ${partnerId}.`, "id");
  const isNeeded = kind === "publicKey" || partner.signing === "symmetric";
  if (isNeeded && !ofKind.some((one) => one.id !== id && one.expiresAt === null)) {
    const message = `It is the only ${what} that the partner keeps: add another one first, or suspend the partner.`;
    return rejected("invalidField", message, "id");
  }
  return changeKeys(deps, partner, { credentials: [], end: [{ id }] }, words);
}

function changeKeys(
  deps: ReferenceDeps,
  partner: PartnerRow,
  after: { readonly credentials: readonly AddedCredential[]; readonly end: readonly EndedCredential[] },
  words: ActWords,
): Promise<AdminResult<PartnerRow>> {
  const { partnerId: target } = partner;
  const proposal = { kind: "partnerKey", target, before: undefined, after, ...words } as const;
  const reads = deps.credentials ?? deps.database;
  return proposeChange(deps, proposal, async () => (await findPartner(reads, target)) ?? partner);
}

function rejectOverlap(overlapMs: number): AdminResult<never> | undefined {
  if (Number.isInteger(overlapMs) && overlapMs >= 0 && overlapMs <= overlapMostMs) return undefined;
  return rejected("invalidField", "An overlap is at most 365 days; 0 ends the older ones at once.", "overlap");
}

type SealingDeps = Pick<ReferenceDeps, "database" | "secrets">;

/** The key that client secrets are sealed with. @throws AdminError where no node has published one, or it is not ours as far as we know. */
export async function needSealingKey({ database, secrets }: SealingDeps): Promise<SealingKey> {
  const { sealingKeys } = secrets;
  // Before the first start of a node: a command that was given the master key seals with its own.
  const key = (await readSealingKey(database)) ?? sealingKeys[0];
  if (!key) {
    throw new AdminError("No node has published the key that client secrets are sealed with: start the service once.");
  }
  if (sealingKeys.length === 0 || sealingKeys.some((own) => own.id === key.id && own.publicKey === key.publicKey))
    return key;
  throw new AdminError(
    `Nothing is sealed: the key that the database publishes for master key ${key.id} is none of the master keys here. Set that one beside yours (TITIAN_MASTER_KEY_PREVIOUS); if it is none of yours, somebody put it there.`,
  );
}

export async function newSecretOf(key: SealingKey, partner: string, secret: string): Promise<AddedCredential> {
  const id = newId();
  return { id, kind: "secret", value: await sealClientSecret(key, secret, { partner, credential: id }) };
}

export function newKeyOf(pem: string): AddedCredential {
  return { id: newId(), kind: "publicKey", value: pem };
}

function newestOf({ credentials }: PartnerRow, kind: CredentialRow["kind"]): CredentialRow | undefined {
  return credentials.find((one) => one.kind === kind);
}

/** True where two secrets are good, and no master key here says whether the new one is among them. */
function isRepeatUnclear({ credentials }: PartnerRow, opened: OpenedSecrets, now: number): boolean {
  const good = credentials.filter(({ id, expiresAt }) => opened.has(id) && (expiresAt === null || expiresAt > now));
  return good.length > 1 && good.some(({ id }) => opened.get(id) === unknownSecret);
}

/** True of a sealed text that opens under no key; one that names another master key may open where that is set. */
function isDamaged(opened: OpenedSecret | SealError | undefined): boolean {
  return opened instanceof SealError && opened.otherKeyId === undefined;
}

function rejectUnclearRepeat(): AdminResult<never> {
  const message =
    "Two client secrets of the partner are good, and a third would end the older one now: retire one first, or set an overlap of 0, which ends both.";
  return rejected("invalidField", message, "secret");
}
