/** The secrets that nothing may show, as far as this process knows them: those of all partners, and its own. */
import type { ReferenceData } from "../admin/reference/reference-data.ts";
import { createSecretFinder, type KnownSecret, type SecretFinder } from "@titian/explain";

type Partners = Pick<ReferenceData, "current" | "endpoints" | "byKey">;

/** Made again when it is asked for after reference data changed. `own`: beside the partners'. */
export function followSecrets(partners: Partners, own: readonly string[] = []): () => SecretFinder {
  let version = -1;
  let finder = createSecretFinder([]);
  return () => {
    const current = partners.current().version;
    if (current !== version) finder = createSecretFinder(knownSecrets(partners, own));
    version = current;
    return finder;
  };
}

function* knownSecrets(partners: Partners, own: readonly string[]): Iterable<KnownSecret> {
  for (const key of partners.endpoints().keys()) {
    const { partnerId, secrets = [] } = partners.byKey(key) ?? {};
    for (const value of secrets) yield { value, partnerId };
  }
  for (const value of own) yield { value };
}
