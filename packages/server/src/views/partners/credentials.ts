/** A partner with its credentials as operators see them: by id, age and end, never their values. */
import { createHash, createPublicKey } from "node:crypto";
import { findPartnerTerms, listCredentials, type ShownCredential } from "../../store/reference/reference.ts";
import type { QueryDeps } from "../query-deps.ts";
import { summarizePartner } from "./partners.ts";

/** Time before its end from which a credential is warned of (ms). */
const warnedMs = 14 * 86_400_000;

/** SHA-256 of a public key, as `openssl pkey -pubin -outform DER | sha256sum` makes it, and `shown_credentials`. */
export function fingerprintOf(pem: string): string {
  const der = createPublicKey(pem).export({ type: "spki", format: "der" });
  return createHash("sha256").update(der).digest("hex");
}

/** Undefined when the partner is unknown. */
export async function showPartner({ pool, clock }: Pick<QueryDeps, "pool" | "clock">, partnerId: string) {
  const row = await findPartnerTerms(pool, partnerId);
  if (!row) return undefined;
  const { addresses, channelIdLengthMax, timestampWindowSeconds, acceptsMinifiedSignature, cells } = row.settings;
  return {
    ...summarizePartner(row),
    addresses,
    channelIdLengthMax,
    timestampWindowSeconds,
    acceptsMinifiedSignature,
    /** Absent: home alone. */
    cells: cells?.map(({ cell, since }) => ({ cell, takesCallsFrom: since })),
    /** Newest first. */
    credentials: (await listCredentials(pool, row.key)).map((one) => showCredential(one, clock.now())),
  };
}

function showCredential(one: ShownCredential, now: number) {
  const { expiresAt } = one;
  const endsSoon = expiresAt !== null && expiresAt > now && expiresAt - now <= warnedMs;
  const state: "valid" | "expiring" | "expired" =
    expiresAt === null || (expiresAt > now && !endsSoon) ? "valid" : endsSoon ? "expiring" : "expired";
  return { ...one, state };
}
