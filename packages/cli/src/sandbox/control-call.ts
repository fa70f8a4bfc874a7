/** Calls of the sandbox's control API (docs/reference/control-calls.md), of the types that their rows have; their errors as messages. */
import { fits, object, string } from "@titian/contract";
import type { AnswerOf, CallsOfSandbox, InputsOf } from "@titian/sandbox/types";
import { CliError, exitCodes } from "../cli-error.ts";
import type { SandboxFile } from "./sandbox-file.ts";

/** Such as `GET /accounts/{accountNo}`. */
type Route = keyof CallsOfSandbox;
type Place = Pick<SandboxFile, "baseUrl" | "controlToken">;

interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The clock and rails do what is due before they answer, for up to 30 s. */
const timeoutMs = 60_000;

/** The answer to a control call. @throws CliError that says what is wrong and what to do */
export async function callControl<Of extends Route>(
  place: Place,
  route: Of,
  ...input: InputsOf<CallsOfSandbox[Of]>
): Promise<AnswerOf<CallsOfSandbox[Of]>> {
  const [given]: readonly (Given | undefined)[] = input;
  const response = await fetchControl(place, route, { ...given, signal: AbortSignal.timeout(timeoutMs) });
  const answer = await response.json().catch(() => {
    throw new CliError(`${place.baseUrl} answered ${route} with what no sandbox of this release answers.`);
  });
  // An answer is of the shape that its row says.
  return answer as AnswerOf<CallsOfSandbox[Of]>;
}

/** The response to a control call that was carried out. @throws CliError as `callControl` */
export async function fetchControl({ baseUrl, controlToken }: Place, route: Route, given: Given): Promise<Response> {
  const { params = {}, query = {}, body, headers, signal } = given;
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${baseUrl}/sandbox${path}${search === "" ? "" : `?${search}`}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${controlToken}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw new CliError(
      `The sandbox at ${baseUrl} does not respond. Is it running? Start it with \`npm start\`.`,
      exitCodes.failed,
      { cause: error },
    );
  });
  if (response.ok) return response;
  const message = explain(response.status, await response.json().catch(() => undefined), baseUrl);
  throw new CliError(message, response.status === 400 ? exitCodes.usage : exitCodes.failed);
}

const Failure = object({ error: object({ code: string(), message: string() }) });

function explain(status: number, answer: unknown, baseUrl: string): string {
  if (status === 401) {
    return `The sandbox at ${baseUrl} does not accept the control token of sandbox.json. Is the file the running sandbox's?`;
  }
  if (!fits(Failure, answer)) {
    return `The service at ${baseUrl} is not a sandbox of this release (HTTP ${status}): it has no such control call.`;
  }
  const { code, message } = answer.error;
  return code === "unknownCall" ? `The sandbox at ${baseUrl} is of an earlier release: start it again.` : message;
}
