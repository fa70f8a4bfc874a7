/** The provider's machines: two nodes of `titian serve`, each with the service's role, and jobs of the deployment. */
import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Service, startService } from "../../../../test/support/black-box/service.ts";
import { client, type IdentityProvider } from "../../../../test/support/identity-provider.ts";
import { freePort } from "./free-port.ts";

type Settings = Readonly<Record<string, string>>;

/** Keys that the deployment gives a node, and no person. */
export interface NodeKeys {
  readonly masterKey: string;
  readonly previousMasterKey?: string;
  readonly providerKeyFile: string;
  readonly providerPublicKey: string;
}

export const nodeIndexes = [0, 1] as const;
export type NodeIndex = (typeof nodeIndexes)[number];

export interface Nodes extends AsyncDisposable {
  /** Addresses at which partners call. */
  readonly baseUrls: readonly [string, string];
  /** Restarts one with these keys; `meanwhile` is done again and again while it is away, with the address of the one that serves. */
  restart(index: NodeIndex, keys: NodeKeys, meanwhile: (servingUrl: string) => Promise<void>): Promise<void>;
}

export interface Place {
  readonly port: number;
  readonly managementPort: number;
}

export const managementUrl = ({ managementPort }: Place): string => `http://127.0.0.1:${managementPort}`;
export const newMasterKey = (): string => randomBytes(32).toString("base64");

export async function findPlaces(): Promise<readonly [Place, Place]> {
  const place = async (): Promise<Place> => ({ port: await freePort(), managementPort: await freePort() });
  return [await place(), await place()];
}

export function newNodeKeys(directory: string, name: string, masterKey: string): NodeKeys {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const providerKeyFile = join(directory, `${name}.pem`);
  writeFileSync(providerKeyFile, privateKey, { mode: 0o600 });
  const providerPublicKey = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
  return { masterKey, providerKeyFile, providerPublicKey };
}

/** Settings of operators' logins, as each node has them. */
export function consoleSettings(databaseUrl: string, url: string, { issuer }: IdentityProvider): Settings {
  return {
    TITIAN_CONSOLE_DATABASE_URL: databaseUrl,
    TITIAN_CONSOLE_URL: url,
    TITIAN_OIDC_ISSUER: issuer,
    TITIAN_OIDC_CLIENT_ID: client.id,
    TITIAN_OIDC_CLIENT_SECRET: client.secret,
    TITIAN_OIDC_SECOND_FACTOR: "amr:otp",
  };
}

/** `settings`: those of both nodes. */
export async function startNodes(
  directory: string,
  places: readonly [Place, Place],
  settings: Settings,
  keys: NodeKeys,
): Promise<Nodes> {
  await using stack = new AsyncDisposableStack();
  const start = (index: NodeIndex, now: NodeKeys) =>
    startOne(join(directory, `node-${index + 1}`), places[index], settings, now);
  const services: [Service, Service] = [await start(0, keys), await start(1, keys)];
  for (const index of nodeIndexes) stack.defer(async () => void (await services[index].end("SIGTERM")));
  const owned = stack.move();
  const baseUrls = [services[0].baseUrl, services[1].baseUrl] as const;
  return {
    baseUrls,
    restart: async (index, now, meanwhile) => {
      let isAway = true;
      const restarted = services[index].end("SIGTERM").then(async () => {
        services[index] = await start(index, now);
        isAway = false;
      });
      const others = async () => {
        while (isAway) await meanwhile(baseUrls[index === 0 ? 1 : 0]);
      };
      await Promise.all([restarted, others()]);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function startOne(dataDir: string, place: Place, settings: Settings, keys: NodeKeys): Promise<Service> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { masterKey, previousMasterKey, providerKeyFile } = keys;
  return startService({
    dataDir,
    env: {
      ...settings,
      PORT: String(place.port),
      TITIAN_MANAGEMENT_PORT: String(place.managementPort),
      TITIAN_MASTER_KEY: masterKey,
      ...(previousMasterKey !== undefined && { TITIAN_MASTER_KEY_PREVIOUS: previousMasterKey }),
      TITIAN_PROVIDER_KEY: providerKeyFile,
    },
  });
}
