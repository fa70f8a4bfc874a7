/** Partners as an operator would take them on. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { NewPartner } from "../../src/admin/partners.ts";

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** One key pair for all partners of a test file: making one takes long. */
export const publicKey = keys.publicKey.export({ type: "spki", format: "pem" }).toString();

let count = 0;

/** A partner nobody else has, with what a test says of it. */
export function newPartner(terms: Partial<NewPartner> = {}): NewPartner {
  count += 1;
  return {
    partnerId: `partner-${process.pid}-${count}`,
    clientKey: `client-${process.pid}-${count}`,
    name: "Toko Sejahtera",
    channelId: "95221",
    signing: "symmetric",
    secrets: [randomBytes(24).toString("base64url")],
    publicKeys: [publicKey],
    ...terms,
  };
}
