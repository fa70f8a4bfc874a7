/** A call in JSON: a HAR of a browser or a proxy, an entry of one, or the sandbox's own description of a call. */
import { array, boolean, fits, object, optional, record, type Static, string } from "@titian/contract";
import { usageError } from "../cli-error.ts";
import { responseIn, type SavedCall, splitUrl, withHost } from "./saved-call.ts";

const text = string();
const Header = object({ name: text, value: text });
const HarEntry = object({
  startedDateTime: optional(text),
  request: object({
    method: text,
    url: text,
    headers: array(Header),
    postData: optional(object({ text: optional(text) })),
  }),
  response: optional(object({ content: optional(object({ text: optional(text) })) })),
});
const Har = object({ log: object({ entries: array(HarEntry) }) });
const SandboxCall = object({
  method: text,
  request: object({
    path: text,
    headers: array(Header),
    body: optional(text),
    isBodyCut: optional(boolean()),
  }),
});
const PlainCall = object({
  method: text,
  url: text,
  headers: record(text),
  body: optional(text),
});

export function readJsonCall(source: string): SavedCall {
  const value = parse(source);
  if (fits(Har, value)) return readHar(value.log.entries);
  if (fits(HarEntry, value)) return readEntry(value, []);
  if (fits(SandboxCall, value)) return readSandboxCall(value);
  if (!fits(PlainCall, value)) {
    throw usageError(
      "The JSON is no saved call. A HAR, an entry of one, a call of GET /sandbox/calls/{id}, and an object of method, url, headers and body are read.",
    );
  }
  const { target, host } = splitUrl(value.url);
  const rawHeaders = withHost(Object.entries(value.headers).flat(), host);
  return { method: value.method, target, rawHeaders, body: Buffer.from(value.body ?? ""), remarks: [] };
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    throw usageError(`The file starts like JSON and is not: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the last of several calls that was rejected, or else the last. */
function readHar(entries: readonly Static<typeof HarEntry>[]): SavedCall {
  const calls = entries.map((entry) => readEntry(entry, []));
  const chosen =
    calls.findLast(({ response }) => response !== undefined && !response.code.startsWith("2")) ?? calls.at(-1);
  if (chosen === undefined) throw usageError("The HAR has no entries.");
  const remarks = calls.length > 1 ? [`Of ${calls.length} calls in the file, ${chosen.target} is explained.`] : [];
  return { ...chosen, remarks };
}

function readEntry(
  { request, response, startedDateTime }: Static<typeof HarEntry>,
  remarks: readonly string[],
): SavedCall {
  const { target, host } = splitUrl(request.url);
  const at = startedDateTime === undefined ? Number.NaN : Date.parse(startedDateTime);
  const answer = responseIn(response?.content?.text ?? "");
  return {
    method: request.method,
    target,
    // Those of HTTP/2 are no headers of the request.
    rawHeaders: withHost(
      request.headers.filter(({ name }) => !name.startsWith(":")).flatMap(({ name, value }) => [name, value]),
      host,
    ),
    body: Buffer.from(request.postData?.text ?? ""),
    ...(!Number.isNaN(at) && { at }),
    ...(answer && { response: answer }),
    remarks,
  };
}

/** Token and signature in it are masked: what the sandbox found out stands in it already. */
function readSandboxCall({ method, request }: Static<typeof SandboxCall>): SavedCall {
  return {
    method,
    target: request.path,
    rawHeaders: request.headers.flatMap(({ name, value }) => [name, value]),
    body: request.isBodyCut === true ? undefined : Buffer.from(request.body ?? ""),
    remarks: [
      "Token and signature are masked in the sandbox's JSON: save the request itself to have its signature explained.",
    ],
  };
}
