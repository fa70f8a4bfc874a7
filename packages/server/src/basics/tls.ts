/** TLS of every listener and of what the service connects to. */

/** Certificate with its chain, and its private key, in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The standard's security rules allowed 1.2 until 30 June 2026. */
export const tlsVersion = { minVersion: "TLSv1.3" } as const;
