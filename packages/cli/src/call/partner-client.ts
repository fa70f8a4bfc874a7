/** A client for one of the partners of `sandbox.json`. */
import { allowInsecureHttp, type Client, createClient, type Fetch, type ObserveExchange } from "@titian/client";
import type { Clock } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import type { SandboxFile, SandboxPartner } from "../sandbox/sandbox-file.ts";

export interface PartnerClientOptions {
  readonly sandbox: SandboxFile;
  readonly partner: SandboxPartner;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly onExchange?: ObserveExchange;
}

/** @throws CliError when the client rejects the file's values. */
export function createPartnerClient({ sandbox, partner, clock, fetch, onExchange }: PartnerClientOptions): Client {
  const { privateKey, clientSecret = "" } = partner;
  const { partnerId, channelId, clientKey } = partner;
  try {
    return createClient({
      baseUrl: sandbox.baseUrl,
      pathPrefix: sandbox.pathPrefix,
      version: sandbox.version,
      partnerId,
      channelId,
      clientKey,
      clock,
      fetch,
      onExchange,
      credentials:
        partner.signing === "symmetric"
          ? { mode: "symmetric", clientSecret, privateKey }
          : { mode: "asymmetric", privateKey },
      // A sandbox in a container has another machine's address.
      [allowInsecureHttp]: true,
    });
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(`sandbox.json is invalid: ${error.message}`);
    throw error;
  }
}
