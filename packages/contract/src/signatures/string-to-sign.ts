/** The texts that are signed (spec D4). */
import { hash } from "node:crypto";

/** Lower-case hex SHA-256 of the body's bytes, as sent; of no bytes when there is no body. */
export function hashBody(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

export interface SignedCall {
  readonly method: string;
  /** Path as sent, query included. */
  readonly path: string;
  /** Token without `Bearer `: given in mode 1, left out in mode 2. */
  readonly accessToken?: string | undefined;
  /** Result of `hashBody`. */
  readonly bodyHash: string;
  /** Exactly the text of `X-TIMESTAMP`. */
  readonly timestamp: string;
}

export const stringToSign = {
  /** Text to sign of 73 and 74. */
  token: (clientKey: string, timestamp: string): string => `${clientKey}|${timestamp}`,
  /** Text to sign of every other call and of notifications. */
  transaction: ({ method, path, accessToken, bodyHash, timestamp }: SignedCall): string =>
    accessToken === undefined
      ? `${method}:${path}:${bodyHash}:${timestamp}`
      : `${method}:${path}:${accessToken}:${bodyHash}:${timestamp}`,
};
