/** Throw-away keys of the published vectors, and the options of a partner who uses them. */
import vectors from "../../../../vectors/snap-test-vectors.json" with { type: "json" };

export const { clientKey, clientSecret } = vectors.generated;
export const { privateKey, publicKey } = vectors.generated.partner;

const partner = {
  baseUrl: "https://provider.example",
  partnerId: "PARTNER-1",
  channelId: "95221",
  clientKey,
} as const;

export const symmetric = { ...partner, credentials: { mode: "symmetric", clientSecret, privateKey } } as const;
export const asymmetric = { ...partner, credentials: { mode: "asymmetric", privateKey } } as const;
