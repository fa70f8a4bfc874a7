/** TLS of every listener and of what the service connects to. */

import { constants } from "node:crypto";

/** Certificate with its chain, and its private key, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** TLS of the main listener. */
export interface ListenerTls extends TlsFiles {
  /** Certificates (PEM) under which those of callers are verified; absent: callers are asked for none. */
  readonly clientCa?: string;
  /** Absent: 1.3. */
  readonly minVersion?: "1.2";
}

/** The standard's security rules allowed 1.2 until 30 June 2026. */
export const tlsVersion = { minVersion: "TLSv1.3" } as const;

/** 1.2 for those who have nothing newer: with forward secrecy and AEAD alone, and no new keys within a connection. */
export const tlsWith12 = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256",
  ].join(":"),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
} as const;
