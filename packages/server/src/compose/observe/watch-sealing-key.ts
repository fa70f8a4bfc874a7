/** The key that client secrets are sealed with is the nodes' own: a start publishes its public half, and each node looks whether it stays. */
import { SealError } from "../../basics/secrets.ts";
import { startPolling } from "../../jobs/polling.ts";
import { publishSealingKey, readSealingKey } from "../../store/reference/sealing-key.ts";
import type { Core } from "../core.ts";

type SealingKeyDeps = Pick<Core, "adminPool" | "secrets" | "log">;

const everyMs = 60_000;

/** @throws SealError where the database seals with a key of which this node has not the private half. */
export async function watchSealingKey(deps: SealingKeyDeps): Promise<AsyncDisposable> {
  await ensureSealingKey(deps, { isStart: true });
  const { log } = deps;
  const polling = startPolling({
    everyMs,
    work: () => ensureSealingKey(deps, { isStart: false }),
    onError: (error) => {
      if (error instanceof SealError) log.error("sealing_key.unknown", error.message);
      else log.warn("job.failed", "A job failed; it is retried.", { error, job: "watch-sealing-key" });
    },
  });
  return { [Symbol.asyncDispose]: () => polling.close() };
}

/** A start replaces the previous master key's, too. A public key that is not ours under an id of ours was put there by somebody. */
export async function ensureSealingKey(
  { adminPool, secrets, log }: SealingKeyDeps,
  { isStart }: { readonly isStart: boolean },
): Promise<void> {
  const keys = secrets.sealingKeys;
  const [own] = keys;
  if (own === undefined) throw new SealError("A node without a master key has no key to publish.");
  const found = await readSealingKey(adminPool);
  const named = keys.find(({ id }) => id === found?.id);
  if (found !== undefined && named === undefined) throw unknownKey(found.id);
  const isOurs = named?.publicKey === found?.publicKey;
  if (isOurs && (named === own || (named !== undefined && !isStart))) return;
  if (!isOurs) log.error("sealing_key.changed", changed);
  await publishSealingKey(adminPool, own, found);
  // Where another node was first, its key stays: a node that does not have that one must not start.
  if (isStart) await ensureSealingKey({ adminPool, secrets, log }, { isStart: false });
}

const changed =
  "Somebody changed the public key that client secrets are sealed with in the database; it is ours again. Secrets that were added meanwhile may be known: add others, and see who has the password of the service's database role or of the database's owner, and change both.";

function unknownKey(id: string): SealError {
  return new SealError(
    `The database has client secrets sealed with the public key of master key ${id}, which is not set here: set it as TITIAN_MASTER_KEY, or as TITIAN_MASTER_KEY_PREVIOUS beside a new one. If it is lost, or no master key of yours ever had this id, so that somebody put it there: titian secrets reseal --lost ${id}.`,
    id,
  );
}
