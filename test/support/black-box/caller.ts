/** A partner's system, written against the documents: it gets a token, signs, sends, and reads what comes back. */
import { type Agent, request } from "undici";
import { describedBy, type FindFault } from "./described.ts";
import type { SandboxFile, SandboxPartner } from "./sandbox-file.ts";
import { signTokenCall, signWithKey, signWithSecret, timestampOf } from "./signer.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly body: Json;
  /** The body as it was received. */
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request ready to be sent, as often and to whichever node one likes. */
export interface SignedCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface SignOptions {
  readonly externalId?: string;
  readonly timestamp?: string;
  /** The bytes that are signed, where they are not the body's. */
  readonly signedBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Habits in which a partner's system differs from the others. */
export interface Habits {
  /** The path of an operation, by its suffix; absent: as `sandbox.json` announces it. */
  readonly pathOf?: (suffix: string) => string;
  /** Spelling of a signature that is given in Base64. */
  readonly spell?: (signature: string) => string;
}

export interface Caller {
  readonly partner: SandboxPartner;
  /** The token in use: fetched at the first need, and again when asked to. */
  token(options?: { readonly fresh?: boolean }): Promise<string>;
  /** A call of 73 or 74, by its suffix. */
  askToken(suffix: string, body: Json): Promise<Answer>;
  /** Signs a call; a body given as text or bytes is taken as it is. */
  sign(suffix: string, body: Json | string | Buffer, options?: SignOptions): Promise<SignedCall>;
  send(call: SignedCall, baseUrl?: string): Promise<Answer>;
  call(suffix: string, body: Json | string | Buffer, options?: SignOptions): Promise<Answer>;
}

/** A service, and who calls it. */
export interface Served extends Pick<SandboxFile, "baseUrl" | "pathPrefix" | "version" | "partners"> {
  /** Where its document is; absent: at `baseUrl`. */
  readonly managementUrl?: string;
}

const descriptions = new Map<string, Promise<FindFault | undefined>>();

/** The response, which must be as the service's document says; that of a node that is down by then is not looked at. */
async function described(baseUrl: string, path: string, answer: Answer): Promise<Answer> {
  const known = descriptions.get(baseUrl) ?? describedBy(baseUrl).catch(ignoreLostNode);
  descriptions.set(baseUrl, known);
  const fault = (await known)?.(path, answer);
  if (fault !== undefined) throw new Error(`${path}: ${fault}`);
  return answer;
}

function ignoreLostNode(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error)) throw error;
}

let numbersGiven = 0;

/** A number nobody has used: digits, so that it will do as an external id too. */
export function newNumber(): string {
  numbersGiven += 1;
  return `${Date.now()}${process.pid % 1_000_000}${String(numbersGiven).padStart(7, "0")}`;
}

/** `agent` is the caller's to close. */
export function createCaller(file: Served, partnerId: string, agent: Agent, habits: Habits = {}): Caller {
  const partner = file.partners.find((one) => one.partnerId === partnerId);
  if (!partner) throw new Error(`sandbox.json has no partner ${partnerId}`);
  const { spell = (signature) => signature } = habits;
  const pathOf = habits.pathOf ?? ((suffix: string) => `${file.pathPrefix}/${file.version}/${suffix}`);
  let known: Promise<string> | undefined;

  function askToken(suffix: string, body: Json): Promise<Answer> {
    const timestamp = timestampOf(Date.now());
    return send({
      path: pathOf(suffix),
      headers: {
        "Content-Type": "application/json",
        "X-TIMESTAMP": timestamp,
        "X-CLIENT-KEY": partner?.clientKey ?? "",
        "X-SIGNATURE": spell(signTokenCall(partner?.privateKey ?? "", partner?.clientKey ?? "", timestamp)),
      },
      body: JSON.stringify(body),
    });
  }

  async function fetchToken(): Promise<string> {
    const answer = await askToken("access-token/b2b", { grantType: "client_credentials" });
    if (answer.status !== 200) throw new Error(`no token: ${answer.code} ${answer.message}`);
    return String(answer.body["accessToken"]);
  }

  function token({ fresh = false } = {}): Promise<string> {
    if (fresh) known = undefined;
    known ??= fetchToken();
    return known;
  }

  async function sign(suffix: string, given: Json | string | Buffer, options: SignOptions = {}): Promise<SignedCall> {
    if (!partner) throw new Error("unreachable");
    const { externalId = newNumber(), timestamp = timestampOf(Date.now()) } = options;
    const body = typeof given === "string" || Buffer.isBuffer(given) ? given : JSON.stringify(given);
    const path = pathOf(suffix);
    const toSign = { path, body: options.signedBody ?? body, timestamp };
    const isSymmetric = partner.signing === "symmetric";
    const signature = isSymmetric
      ? signWithSecret(partner.clientSecret, await token(), toSign)
      : signWithKey(partner.privateKey, toSign);
    const headers = {
      "Content-Type": "application/json",
      "X-TIMESTAMP": timestamp,
      "X-PARTNER-ID": partner.partnerId,
      "X-EXTERNAL-ID": externalId,
      "CHANNEL-ID": partner.channelId,
      ...(isSymmetric && { Authorization: `Bearer ${await token()}` }),
      "X-SIGNATURE": spell(signature),
      ...options.headers,
    };
    return { path, headers, body };
  }

  async function send({ path, headers, body }: SignedCall, baseUrl = file.baseUrl): Promise<Answer> {
    return described(file.managementUrl ?? file.baseUrl, path, await post(agent, `${baseUrl}${path}`, headers, body));
  }

  return {
    partner,
    token,
    askToken,
    sign,
    send,
    call: async (suffix, body, options) => send(await sign(suffix, body, options)),
  };
}

async function post(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): Promise<Answer> {
  const response = await request(url, { dispatcher: agent, method: "POST", headers, body });
  const text = await response.body.text();
  const fields: Json = JSON.parse(text);
  return {
    status: response.statusCode,
    code: String(fields["responseCode"]),
    message: String(fields["responseMessage"]),
    body: fields,
    text,
    headers: response.headers,
  };
}
