/** The sandbox that an example calls. With a real bank the keys come from onboarding. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientOptions } from "@titian/client";

interface Partner {
  readonly partnerId: string;
  readonly channelId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly privateKey: string;
  readonly sourceAccounts: readonly [string, string];
  readonly merchants: readonly [string];
}

/** A beneficiary account with a simulated outcome. */
interface Scenario {
  readonly beneficiaryBankCode: string;
  readonly beneficiaryAccountNo: string;
  readonly outcome: string;
}

type SandboxFile = Pick<ClientOptions, "baseUrl" | "pathPrefix" | "version"> & {
  readonly partners: readonly [Partner];
  readonly scenarios: readonly Scenario[];
  readonly controlToken: string;
};

/** A control call of the sandbox (docs/guides/sandbox.md): POST where it has a body. @throws when it is rejected. */
export type Control = (path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;

export interface Sandbox extends Pick<Partner, "sourceAccounts" | "merchants"> {
  /** Options with which `createClient` calls as the sandbox's first partner. */
  readonly connection: ClientOptions;
  readonly scenarios: readonly Scenario[];
  readonly control: Control;
}

/** Reads `sandbox.json`: of the first argument, or of `npm start` with the same `TITIAN_DATA_DIR`. */
export function readSandbox(): Sandbox {
  const { TITIAN_DATA_DIR: directory = ".titian" } = process.env;
  const file = process.argv[2] ?? join(directory, "sandbox.json");
  if (!existsSync(file)) {
    console.error(`No ${file} here: run it in the repository's root, with the sandbox started (npm start)`);
    process.exit(1);
  }
  const text = readFileSync(file, "utf8");
  const { partners, scenarios, baseUrl, pathPrefix, version, controlToken } = JSON.parse(text) as SandboxFile;
  const { sourceAccounts, merchants, clientSecret, privateKey, ...partner } = partners[0];
  const { partnerId, channelId, clientKey } = partner;
  const credentials = { mode: "symmetric", clientSecret, privateKey } as const;
  const connection = { baseUrl, pathPrefix, version, partnerId, channelId, clientKey, credentials };
  return { connection, sourceAccounts, merchants, scenarios, control: createControl(baseUrl, controlToken) };
}

function createControl(baseUrl: string, token: string): Control {
  return async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const request = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${baseUrl}/sandbox/${path}`, request);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
}

/** A `fetch` that can lose a response: the bank receives the call, and the client no response. */
export function createLossyFetch() {
  let losesNext = false;
  return {
    loseNextResponse: () => {
      losesNext = true;
    },
    fetch: async (url: string | URL, request?: RequestInit) => {
      const response = await fetch(url, request);
      if (!losesNext) return response;
      losesNext = false;
      throw new Error("the connection broke");
    },
  };
}
