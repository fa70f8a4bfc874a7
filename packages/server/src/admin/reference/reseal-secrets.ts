/** Seals what names an earlier master key for the current one. As the owner of the database, in batches that each are a commit. */
import { sealClientSecret } from "../../basics/client-secret-seal.ts";
import { createSecrets, type MasterKeys, SealError, type Secrets, unknownSecret } from "../../basics/secrets.ts";
import { connectPlain } from "../../store/postgres/connect.ts";
import { publishSealingKey, readSealingKey } from "../../store/reference/sealing-key.ts";
import {
  countSealed,
  listSealedSecrets,
  replaceSealedSecrets,
  type Resealed,
  type SealedCount,
  type SealedSecret,
} from "../../store/reference/sealed-texts.ts";
import { isDenied } from "../../store/schema/rights.ts";
import { listSearchKeys, resealSearchKey } from "../../store/tables/search/search-keys.ts";
import { AdminError } from "../result.ts";
import { searchKeyContext } from "../search/search-keys.ts";

export interface ResealOptions {
  /** True: nothing is changed. Absent: it is. */
  readonly isCheck?: boolean;
  /** Id of a master key that is lost: where it is published, the current one takes its place. */
  readonly lost?: string | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ResealReport {
  /** Id of the current master key. */
  readonly keyId: string;
  readonly resealed: number;
  /** Texts that name another master key. */
  readonly left: readonly SealedCount[];
  /** Client secrets that name a key of ours and do not open. */
  readonly damaged: readonly { readonly partnerId: string; readonly credential: string }[];
}

const batchSize = 200;

type Client = Awaited<ReturnType<typeof connectPlain>>;

/** May be ended at any moment and repeated: a text is either the old one or the new one, and both open under these keys. */
export async function resealSecrets(
  databaseUrl: string,
  masterKeys: MasterKeys,
  options: ResealOptions = {},
): Promise<ResealReport> {
  const client = await connectPlain({ connectionString: databaseUrl, application_name: "titian secrets" });
  try {
    return await reseal(client, createSecrets(masterKeys), options);
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new AdminError(`Run it as the owner of the database: ${(error as Error).message}.`, { cause: error });
  } finally {
    await client.end();
  }
}

async function reseal(client: Client, secrets: Secrets, options: ResealOptions): Promise<ResealReport> {
  const { isCheck = false, lost, onProgress = () => undefined } = options;
  const [own] = secrets.sealingKeys;
  if (own === undefined) throw new AdminError("There is no master key to seal for.");
  const done: Done = { resealed: 0, damaged: [] };
  if (!isCheck) {
    await requirePublished(client, secrets, lost);
    const total = (await countSealed(client)).reduce((sum, { count }) => sum + count, 0);
    await resealClientSecrets(client, secrets, done, (read) => onProgress(read, total));
    await resealSearchKeys(client, secrets, done);
  }
  const left = (await countSealed(client)).filter(({ keyId }) => keyId !== own.id);
  return { keyId: own.id, ...done, left };
}

/** A text for a key that no node has would open nowhere. @throws AdminError */
async function requirePublished(client: Client, { sealingKeys }: Secrets, lost: string | undefined): Promise<void> {
  const [own] = sealingKeys;
  const published = await readSealingKey(client);
  if (own === undefined || (published?.id === own.id && published.publicKey === own.publicKey)) return;
  if (lost !== undefined && published?.id === lost && sealingKeys.every(({ id }) => id !== lost))
    return publishSealingKey(client, own, published);
  throw new AdminError(
    `Nothing was changed: nodes seal for master key ${published?.id ?? "none"} and not for ${own.id}, which TITIAN_MASTER_KEY is. ` +
      "Restart all nodes with the new key and the one before it first.",
  );
}

interface Done {
  resealed: number;
  readonly damaged: { readonly partnerId: string; readonly credential: string }[];
}

async function resealClientSecrets(
  client: Client,
  secrets: Secrets,
  done: Done,
  onRead: (count: number) => void,
): Promise<void> {
  let page: readonly SealedSecret[];
  let read = 0;
  for (let after = "00000000-0000-0000-0000-000000000000"; ; after = page.at(-1)?.id ?? after) {
    page = await listSealedSecrets(client, after, batchSize);
    const changes: Resealed[] = [];
    for (const row of page) {
      const change = await resealOne(secrets, row, done);
      if (change) changes.push(change);
    }
    if (changes.length > 0) done.resealed += await replaceSealedSecrets(client, changes);
    onRead((read += page.length));
    if (page.length < batchSize) return;
  }
}

/** Undefined: it stays as it is. */
async function resealOne(
  secrets: Secrets,
  { id, partner, partnerId, sealed }: SealedSecret,
  { damaged }: Done,
): Promise<Resealed | undefined> {
  const place = { partner, credential: id };
  const [own] = secrets.sealingKeys;
  try {
    const secret = await secrets.openClientSecret(sealed, place);
    if (own === undefined || secret === unknownSecret || !secrets.isStale(sealed)) return undefined;
    return { id, from: sealed, to: await sealClientSecret(own, secret, place) };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    if (error.otherKeyId === undefined) damaged.push({ partnerId, credential: id });
    return undefined;
  }
}

async function resealSearchKeys(client: Client, secrets: Secrets, done: Done): Promise<void> {
  for (const { month, sealed } of await listSearchKeys(client)) {
    if (sealed === undefined || !secrets.isStale(sealed)) continue;
    try {
      const key = secrets.open(sealed, searchKeyContext(month));
      await resealSearchKey(client, month, sealed, secrets.seal(key, searchKeyContext(month)));
      done.resealed += 1;
    } catch (error) {
      // It is among those that are left.
      if (!(error instanceof SealError)) throw error;
    }
  }
}
