/** Operators' calls over HTTP: of a sandbox, or of the service that `TITIAN_URL` names. */
import type { IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { CliError, exitCodes } from "../cli-error.ts";
import type { SandboxFile } from "../sandbox/sandbox-file.ts";
import {
  type CallRow,
  callsBy,
  type Carrier,
  type ControlRequest,
  failureOf,
  rejectionOf,
  requestOf,
  type Route,
} from "./call-row.ts";

export interface Mount {
  /** The part before the paths of calls. */
  readonly url: string;
  /** Absent: of nobody, such as a login. */
  readonly token?: string | undefined;
  /** True: the token is the secret of an operator's session. */
  readonly isSession?: boolean;
  /** The word for it in messages. */
  readonly what: "sandbox" | "service";
}

type Place = Pick<SandboxFile, "baseUrl" | "controlToken">;

export function mountOf({ baseUrl, controlToken }: Place): Mount {
  return { url: `${baseUrl}/sandbox`, token: controlToken, what: "sandbox" };
}

/** The clock and rails do what is due before they answer, for up to 30 s. */
const timeoutMs = 60_000;

export function carrierTo(mount: Mount): Carrier {
  return async (request) => {
    const response = await send(mount, request, { signal: AbortSignal.timeout(timeoutMs) });
    const { statusCode: status = 0 } = response;
    const answer = await answerOf(response);
    const place = isOk(response) && answer !== undefined ? undefined : explainPlace(mount, status, answer);
    if (place !== undefined) throw place;
    return { status, answer };
  };
}

/** `locate` is asked for each call: a sandbox that is started again may be elsewhere. */
export function callsOf(locate: () => Place): CallRow {
  return (route, ...input) => callsBy(carrierTo(mountOf(locate())))(route, ...input);
}

interface StreamInput {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The response of a call that goes on. @throws CliError as other calls */
export async function openStream(
  place: Place,
  route: Route,
  { query, headers }: StreamInput,
): Promise<IncomingMessage> {
  const mount = mountOf(place);
  const response = await send(mount, requestOf(route, { query }), { headers });
  if (isOk(response)) return response;
  const { statusCode: status = 0 } = response;
  const answer = await answerOf(response);
  throw explainPlace(mount, status, answer) ?? failureOf(status, answer, { query });
}

const isOk = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode < 300;

/** Undefined for what is no JSON, and where it breaks off. */
const answerOf = (response: IncomingMessage): Promise<unknown> => json(response).catch(() => undefined);

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

async function send(
  { url, token, what }: Mount,
  request: ControlRequest,
  { headers, signal }: SendOptions,
): Promise<IncomingMessage> {
  try {
    const authorized = { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    return await respond(new URL(`${url}${request.path}`), request, { headers: authorized, signal });
  } catch (error) {
    const start = what === "sandbox" ? " Is it running? Start it with `npm start`." : "";
    throw new CliError(`The ${what} at ${url} does not respond.${start}`, exitCodes.failed, { cause: error });
  }
}

/** Neither `fetch` nor an import of `node:http`, which loads `fetch` too: that takes as much CPU as half a command. */
function respond(target: URL, { method, body }: ControlRequest, options: SendOptions): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(target.protocol === "https:" ? "node:https" : "node:http");
  return new Promise((resolve, reject) => {
    request(target, { ...options, method })
      .on("response", resolve)
      .on("error", reject)
      .end(body);
  });
}

/** The fault of the place, where no row has given the answer; undefined where a row has rejected the call. */
function explainPlace({ url, what, isSession }: Mount, status: number, answer: unknown): CliError | undefined {
  if (status === 401) {
    return new CliError(
      what === "sandbox"
        ? `The sandbox at ${url} does not accept the control token of sandbox.json. Is the file the running sandbox's?`
        : isSession
          ? `The session at ${url} has ended: titian login.`
          : `The service at ${url} does not accept the token of TITIAN_TOKEN.`,
    );
  }
  const rejection = rejectionOf(status, answer, {});
  if (rejection === undefined) {
    return new CliError(
      `The service at ${url} is not a ${what} of this release (HTTP ${status}): it has no such control call.`,
    );
  }
  return rejection.code === "unknownCall"
    ? new CliError(`The ${what} at ${url} is of an earlier release: start it again.`)
    : undefined;
}
