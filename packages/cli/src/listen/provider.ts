/** Keys with which the notifications to a partner of the sandbox are verified. */
import { CliError } from "../cli-error.ts";
import type { SandboxFile, SandboxPartner } from "../sandbox/sandbox-file.ts";

export interface Provider {
  /** Receiver of the notifications: `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** Client secret of the partner, for mode 1. */
  readonly clientSecret: string;
  /** SPKI PEM, for mode 2 and the token call. */
  readonly publicKey: string;
  /** The service's `X-CLIENT-KEY`. */
  readonly clientKey: string;
}

/** @throws CliError when the file is of an earlier release. */
export function providerOf({ provider }: SandboxFile, { partnerId, clientSecret }: SandboxPartner): Provider {
  if (provider?.clientKey !== undefined && clientSecret !== undefined) {
    return { partnerId, clientSecret, publicKey: provider.publicKey, clientKey: provider.clientKey };
  }
  throw new CliError(
    "sandbox.json has no provider.clientKey, or no client secret of the partner. Start the sandbox again: npm start",
  );
}
