/** An identity provider of the tests' own: a real one, installed by itself in `test/oidc`, at which a test says who logs in. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The next login is this person's. */
  expect(person: Person): void;
  /** True: it answers nothing but 503. */
  isAway: boolean;
  /** True: it does not answer; false again: those who wait are answered 503. */
  isSilent: boolean;
}

interface Person {
  readonly subject: string;
  /** Values of the claim `amr`. */
  readonly factors: readonly string[];
}

export const client = { id: "titian", secret: "a secret of the tests" };

const folder = fileURLToPath(new URL("../oidc/", import.meta.url));
const library = join(folder, "node_modules", "oidc-provider", "lib", "index.js");

const require = createRequire(import.meta.url);
const { acquireLock }: { acquireLock(file: string, onWait: () => void): Promise<() => void> } =
  require("../../scripts/install/lock.cjs");
const { isInstalled }: { isInstalled(folder: string): boolean } = require("../../scripts/install/state.cjs");

/** The part of the library that is used here. */
interface Provider {
  callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
}
type ProviderClass = new (issuer: string, settings: object) => Provider;
interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: Provider;
  };
}

export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  await ensureInstalled();
  const { Provider: Library } = (await import(pathToFileURL(library).href)) as { readonly Provider: ProviderClass };
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Library(issuer, settingsOf(redirectUri));
  const others = provider.callback();
  let isSilent = false;
  let person: Person = { subject: "nobody", factors: [] };
  server.on("request", (request, response) => {
    if (isSilent) return void silent.push(response);
    if (self.isAway) return void response.writeHead(503).end();
    if (!request.url?.startsWith("/interaction/")) return void others(request, response);
    const { subject: accountId, factors: amr } = person;
    void provider.interactionFinished(request, response, { login: { accountId, amr, remember: false } });
  });
  const silent: ServerResponse[] = [];
  const self: IdentityProvider = {
    issuer,
    isAway: false,
    get isSilent() {
      return isSilent;
    },
    set isSilent(is) {
      isSilent = is;
      for (const response of silent.splice(0)) response.writeHead(503).end();
    },
    expect: (next) => {
      person = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return self;
}

/** Files of tests run at once: one of them installs, and an install that was cut short is made anew. */
async function ensureInstalled(): Promise<void> {
  if (isInstalled(folder)) return;
  const release = await acquireLock(join(folder, ".install.lock"), () => undefined);
  try {
    if (!isInstalled(folder)) execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: "pipe" });
  } finally {
    release();
  }
}

/** As the provider's own page, without what that loads from elsewhere. */
function showLogout(context: { body: string }, form: string): void {
  context.body = `<!doctype html><html lang="en"><head><title>Sign out</title><link rel="icon" href="data:,"></head><body>${form}
    <button type="submit" form="op.logoutForm" value="yes" name="logout">Yes, sign me out</button></body></html>`;
}

function settingsOf(redirectUri: string): object {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL("/", redirectUri).href],
        grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
      },
    ],
    claims: { openid: ["sub", "amr"] },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      rpInitiatedLogout: { logoutSource: showLogout },
    },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    // Nobody is asked to agree.
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const { clientId } = oidc.client;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid");
      await grant.save();
      return grant;
    },
    cookies: { keys: ["of the tests"] },
    pkce: { required: () => true },
    ttl: { Session: 600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600, DeviceCode: 600 },
  };
}
