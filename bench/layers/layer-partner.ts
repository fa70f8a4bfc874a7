/** The one partner of a server that has no database. */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { operations } from "@titian/contract";
import type { PartnerCredentials } from "../../packages/server/src/interfaces/call.ts";
import type { BenchPartner } from "../load/partner.ts";

/** The same partner as the service knows it and as the load generator calls in its name. */
export interface LayerPartner {
  readonly credentials: PartnerCredentials;
  /** For a server that listens on 127.0.0.1. */
  callerAt(port: number): BenchPartner;
}

export function createLayerPartner(): LayerPartner {
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privateKey = keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const publicKey = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
  const clientSecret = randomBytes(24).toString("base64url");
  const [partnerId, clientKey] = ["BENCH", "bench-client"];
  return {
    credentials: {
      key: randomUUID(),
      partnerId,
      clientKey,
      status: "active",
      signing: "symmetric",
      secrets: [clientSecret],
      publicKeys: [publicKey],
      services: Object.values(operations).map(({ code }) => code),
      addresses: [],
      acceptsMinifiedSignature: true,
      channelIdLengthMax: 5,
    },
    callerAt: (port) => ({
      origin: `http://127.0.0.1:${port}`,
      host: "127.0.0.1",
      port,
      path: "/v1.0",
      partnerId,
      clientKey,
      clientSecret,
      privateKey,
      channelId: "95221",
      merchants: [],
    }),
  };
}
