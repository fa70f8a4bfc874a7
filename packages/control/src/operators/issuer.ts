/**
 * The identity provider that says who operators are, by OpenID Connect. It is asked when it is first needed, and again after it
 * failed: a node starts without it. All of the protocol and its cryptography is the library's.
 */
import type { ConsoleSettings } from "@titian/server/config";
import type { ClientAuth, Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import { ControlError } from "../control-error.ts";
import { explainFault } from "./issuer-faults.ts";

/** Somebody whom the identity provider has identified. */
export interface Identified {
  readonly issuer: string;
  readonly subject: string;
  readonly hasSecondFactor: boolean;
}

/** Values of a login that its end is compared with; the browser keeps them meanwhile. */
export interface LoginChecks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface DeviceLogin {
  /** Secret between us and the identity provider. */
  readonly deviceCode: string;
  readonly userCode: string;
  /** Page of the identity provider that takes the code. */
  readonly address: string;
  /** The same with the code in it; the identity provider may have none. */
  readonly addressWithCode: string | undefined;
  readonly intervalSeconds: number;
  readonly expiresInSeconds: number;
}

/** @throws ControlError that says what is wrong with the login, the identity provider or our settings */
export interface Issuer {
  beginLogin(): Promise<{ readonly address: string; readonly checks: LoginChecks }>;
  /** `answer`: the address by which the browser came back. */
  endLogin(answer: URL, checks: LoginChecks): Promise<Identified>;
  beginDeviceLogin(): Promise<DeviceLogin>;
  /** One question whether the code was entered. */
  endDeviceLogin(deviceCode: string): Promise<Identified | "pending" | "slowDown">;
  /** Address at which a browser ends its session there; undefined: there is none, or the identity provider does not answer. */
  findEndOfSession(): Promise<string | undefined>;
}

const timeoutSeconds = 5;
/** Questions to the identity provider at one time: by those who begin with a code, and by those who end a login. */
const atOnce = { begin: 5, end: 20 } as const;
/** Distance of clocks that a token may show. */
const clockToleranceSeconds = 30;
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const scope = "openid";

type Settings = Omit<ConsoleSettings, "databaseUrl">;
/** Loaded with the first login: a node without one does not need it. */
const loadLibrary = () => import("openid-client");
type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Turn = "free" | keyof typeof atOnce;
type Ask = <Value>(turn: Turn, question: (library: Library, config: Configuration) => Promise<Value>) => Promise<Value>;
type Identify = (tokens: TokenEndpointResponse & TokenEndpointResponseHelpers) => Identified;

export function createIssuer(settings: Settings): Issuer {
  const { secondFactor } = settings;
  const discover = onceUntilItFails(() => discoverIssuer(settings));
  const underWay = { begin: 0, end: 0 };
  const ask: Ask = async (turn, question) => {
    // Anybody who reaches the listener may begin a login, and keeps nobody from ending one.
    if (turn !== "free" && underWay[turn] >= atOnce[turn])
      throw new ControlError(503, "busy", "Too many logins are under way: try again in a moment.");
    if (turn !== "free") underWay[turn] += 1;
    try {
      return await question(await loadLibrary(), await discover());
    } catch (error) {
      throw explainFault(error, settings.issuer);
    } finally {
      if (turn !== "free") underWay[turn] -= 1;
    }
  };
  const identify: Identify = (tokens) => {
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("The identity provider has sent no ID token.");
    const said = [claims[secondFactor.claim]].flat();
    const hasSecondFactor = secondFactor.values.some((value) => said.includes(value));
    return { issuer: claims.iss, subject: claims.sub, hasSecondFactor };
  };
  return { ...codeLogin(ask, identify, settings), ...deviceLogin(ask, identify), ...logout(ask, settings) };
}

function codeLogin(
  ask: Ask,
  identify: Identify,
  { url, secondFactor }: Settings,
): Pick<Issuer, "beginLogin" | "endLogin"> {
  return {
    beginLogin: () =>
      ask("free", async (library, config) => {
        const verifier = library.randomPKCECodeVerifier();
        const [state, nonce] = [library.randomState(), library.randomNonce()];
        const address = library.buildAuthorizationUrl(config, {
          redirect_uri: `${url}/operators/callback`,
          scope,
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          ...(secondFactor.claim === "acr" && { acr_values: secondFactor.values.join(" ") }),
        });
        return { address: address.href, checks: { state, nonce, verifier } };
      }),
    endLogin: (answer, { state, nonce, verifier }) =>
      ask("end", async (library, config) => {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        return identify(await library.authorizationCodeGrant(config, answer, { ...checks, idTokenExpected: true }));
      }),
  };
}

/** Our own session has ended by then, whatever comes of it. */
function logout(ask: Ask, { url }: Settings): Pick<Issuer, "findEndOfSession"> {
  const find = () =>
    ask("free", async (library, config) => {
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
      return library.buildEndSessionUrl(config, { post_logout_redirect_uri: `${url}/` }).href;
    });
  return { findEndOfSession: () => find().catch(() => undefined) };
}

function deviceLogin(ask: Ask, identify: Identify): Pick<Issuer, "beginDeviceLogin" | "endDeviceLogin"> {
  return {
    beginDeviceLogin: () =>
      ask("begin", async (library, config) => {
        const begun = await library.initiateDeviceAuthorization(config, { scope });
        return {
          deviceCode: begun.device_code,
          userCode: begun.user_code,
          address: begun.verification_uri,
          addressWithCode: begun.verification_uri_complete,
          intervalSeconds: begun.interval ?? 5,
          expiresInSeconds: begun.expires_in,
        };
      }),
    endDeviceLogin: (deviceCode) =>
      ask("end", async (library, config) => {
        try {
          return identify(await library.genericGrantRequest(config, deviceGrant, { device_code: deviceCode }));
        } catch (error) {
          if (!(error instanceof library.ResponseBodyError)) throw error;
          if (error.error === "authorization_pending") return "pending";
          if (error.error === "slow_down") return "slowDown";
          throw error;
        }
      }),
  };
}

async function discoverIssuer({ issuer, clientId, clientSecret }: Settings): Promise<Configuration> {
  const library = await loadLibrary();
  const [basic, post] = [library.ClientSecretBasic(clientSecret), library.ClientSecretPost(clientSecret)];
  const authenticate: ClientAuth = (server, ...call) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    return (methods.includes("client_secret_basic") ? basic : post)(server, ...call);
  };
  return library.discovery(
    new URL(issuer),
    clientId,
    { [library.clockTolerance]: clockToleranceSeconds },
    authenticate,
    {
      timeout: timeoutSeconds,
      execute: [
        library.enableNonRepudiationChecks,
        // The settings permit it on this machine alone.
        ...(issuer.startsWith("http:") ? [library.allowInsecureRequests] : []),
      ],
    },
  );
}

/** All callers wait for one; after a failure the next one tries again. */
function onceUntilItFails<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
