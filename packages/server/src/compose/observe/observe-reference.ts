/** Measures of a node's copy of the reference data. */
import type { ReferenceData } from "../../admin/reference/reference-data.ts";
import type { Metrics } from "../../observability/metrics.ts";

/** Partners named by a metric; the log names all of them. */
const namedMax = 100;

export function observeReference(
  metrics: Metrics,
  reference: Pick<ReferenceData, "ageMs" | "expiringCredentials" | "unreadableSecrets">,
): void {
  const age = {
    name: "titian_reference_data_age_seconds",
    help: "Age of the copy of reference data. Above 10 every call is answered 503xx00.",
  };
  metrics.gauge(age, () => reference.ageMs() / 1_000);
  const unreadable = {
    name: "titian_partner_secrets_unreadable",
    help: "Client secrets that cannot be decrypted, by partner (the first 100): what is signed with them is answered 503xx00.",
    labels: ["partner"],
  };
  const expiring = {
    name: "titian_partner_credentials_expiring",
    help: "Credentials of partners, client secrets and public keys, that expire within 14 days.",
  };
  metrics.gauge(expiring, () => reference.expiringCredentials(14 * 86_400_000));
  metrics.gauge(unreadable, () =>
    [...reference.unreadableSecrets()].slice(0, namedMax).map(([partner, value]) => ({ labels: { partner }, value })),
  );
}
