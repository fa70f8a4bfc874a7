/** Control calls to a running sandbox, and their errors as messages. */
import { fits, object, type Schema, string } from "@titian/contract";
import { CliError, exitCodes } from "../cli-error.ts";
import type { SandboxFile } from "./sandbox-file.ts";

type Place = Pick<SandboxFile, "baseUrl" | "controlToken">;

const Failure = object({ error: object({ message: string() }) });

interface ControlRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer of a control call, as its schema says. @throws CliError when it is not carried out. */
export async function callControl<Value>(
  place: Place,
  schema: Schema<Value>,
  { method, path, body }: { readonly method: "GET" | "POST" | "DELETE"; readonly path: string; readonly body?: object },
): Promise<Value> {
  const response = await fetchControl(place, path, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (fits(schema, answer)) return answer;
  throw new CliError(`${place.baseUrl} answered ${path} with what no sandbox of this release answers.`);
}

/** The response to a control call that was carried out. @throws CliError when it was not. */
export async function fetchControl(place: Place, path: string, init: ControlRequest): Promise<Response> {
  const headers = { ...init.headers, Authorization: `Bearer ${place.controlToken}` };
  const response = await fetch(`${place.baseUrl}/sandbox/${path}`, { ...init, headers }).catch((error: unknown) => {
    throw new CliError(
      `The sandbox at ${place.baseUrl} does not respond. Is it running? Start it with \`npm start\`.`,
      exitCodes.failed,
      { cause: error },
    );
  });
  if (response.ok) return response;
  const failure: unknown = await response.json().catch(() => undefined);
  const message = fits(Failure, failure) ? failure.error.message : `The sandbox answered HTTP ${response.status}.`;
  throw new CliError(message, response.status === 400 ? exitCodes.usage : exitCodes.failed);
}
