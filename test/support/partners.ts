/** Partners as an operator would take them on. */
import { createPublicKey, randomBytes } from "node:crypto";
import type { NewPartner } from "../../packages/server/src/admin/partners/partners.ts";

/** An RSA public key nobody else has, and nobody has the private key of: making a pair takes long. */
export function newPublicKey({ bits = 2_048, exponent = 65_537, isOdd = true } = {}): string {
  const modulus = randomBytes(bits / 8);
  modulus[0] = 0x80 | (modulus[0] ?? 0);
  modulus[modulus.length - 1] = isOdd ? 1 : 2;
  const e = Buffer.from(exponent.toString(16).padStart(6, "0"), "hex").toString("base64url");
  const key = createPublicKey({ format: "jwk", key: { kty: "RSA", n: modulus.toString("base64url"), e } });
  return key.export({ type: "spki", format: "pem" }).toString();
}

let count = 0;

/** A partner nobody else has, without a rate limit, with what a test says of it. */
export function newPartner(terms: Partial<NewPartner> = {}): NewPartner {
  count += 1;
  return {
    partnerId: `partner-${process.pid}-${count}`,
    clientKey: `client-${process.pid}-${count}`,
    name: "Toko Sejahtera",
    channelId: "95221",
    signing: "symmetric",
    secrets: [randomBytes(24).toString("base64url")],
    publicKeys: [newPublicKey()],
    rateLimit: null,
    ...terms,
  };
}
