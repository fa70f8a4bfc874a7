/** The partner in whose name the load generator calls, as `sandbox.json` gives it. */

export interface BenchPartner {
  /** Without a path. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** Prefix and version, for instance `/v1.0`. */
  readonly path: string;
  readonly partnerId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  readonly channelId: string;
  /** Ids of its merchants. */
  readonly merchants: readonly string[];
}
