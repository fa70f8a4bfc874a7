/** Action of `titian explain`. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";
import { parseResponseCode, parseTimestamp } from "@titian/contract";
import {
  type CallEvidence,
  explainRefusal,
  findRefusal,
  hideSecretsIn,
  operationAtTarget,
  type Refusal,
  warningsOf,
} from "@titian/explain";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { type CredentialFlags, findCredentials } from "./credentials.ts";
import { formatReport } from "./format-report.ts";
import { readCurl } from "./read-curl.ts";
import { readHttp } from "./read-http.ts";
import { readJsonCall } from "./read-json-call.ts";
import type { SavedCall } from "./saved-call.ts";
import { visible, visibleLines } from "../tables/plain.ts";

export interface ExplainFlags extends CredentialFlags {
  readonly body?: string;
  readonly at?: string;
  readonly json?: true;
  readonly language: "en" | "id";
}

export async function explain(file: string, flags: ExplainFlags): Promise<ExitCode> {
  const saved = await readCall(file);
  const call = flags.body === undefined ? saved : { ...saved, body: await readBytes(flags.body), remarks: [] };
  for (const remark of call.remarks) note(visible(`Note: ${remark}`));
  const at = flags.at === undefined ? call.at : readTime(flags.at);
  if (at === undefined) note("Note: when it was sent is not known, so clock and token's age are not judged (--at).");
  const named = headerOf(call, "x-partner-id") ?? headerOf(call, "x-client-key") ?? "";
  const { known, paths, finder } = await findCredentials(flags, named, call.target);
  const evidence = evidenceOf(call, at, paths);
  const refusal = findRefusal(evidence, known) ?? refusalOf(call);
  if (refusal === undefined && call.body === undefined) {
    note("Note: without the body neither signature nor fields can be judged (--body <file>).");
  }
  const report = explainRefusal(
    { ...evidence, rejectedAt: refusal?.step, rejection: refusal?.rejection },
    known,
    finder,
  );
  const partner = known.find(({ partnerId, clientKey }) => partnerId === named || clientKey === named);
  const warnings = partner === undefined ? [] : hideSecretsIn(warningsOf(evidence, partner), evidence, finder);
  print(
    flags.json ? visibleLines(formatJson({ ...report, warnings })) : formatReport(report, warnings, flags.language),
  );
  return refusal === undefined ? exitCodes.done : exitCodes.failed;
}

async function readCall(file: string): Promise<SavedCall> {
  const bytes = await readBytes(file);
  const text = bytes.toString("utf8").trimStart();
  if (text.startsWith("{")) return readJsonCall(text);
  return /^(?:\$ )?curl\s/.test(text)
    ? readCurl(text.replace(/^\$ /, ""), file === "-" ? undefined : dirname(file))
    : readHttp(bytes);
}

/** `-` is standard input. */
async function readBytes(file: string): Promise<Buffer> {
  try {
    return file === "-" ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw usageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readTime(text: string): number {
  const at = parseTimestamp(text);
  if (at !== undefined) return at;
  throw usageError(`--at ${text} is not a time such as 2026-11-21T10:00:00+07:00.`);
}

function headerOf({ rawHeaders }: SavedCall, name: string): string | undefined {
  const at = rawHeaders.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}

function evidenceOf(call: SavedCall, at: number | undefined, paths: CallEvidence["paths"]): CallEvidence {
  const { method, target, rawHeaders, body } = call;
  return {
    method,
    target,
    rawHeaders,
    body,
    at,
    businessTime: at,
    operation: operationAtTarget(target, paths),
    rejectedAt: undefined,
    rejection: undefined,
    responseCode: call.response?.code ?? "",
    paths,
  };
}

/** Rejection by the saved response, where the call alone does not tell: tokens, services, rates. */
function refusalOf({ response }: SavedCall): Refusal | undefined {
  const caseName = parseResponseCode(response?.code ?? "")?.caseName;
  const reason = /\[([^\]]+)\]$/.exec(response?.message ?? "")?.[1];
  if (caseName === undefined) return undefined;
  const rejection = { case: caseName, reason };
  if (caseName === "invalidToken" || caseName === "invalidCustomerToken") return { step: 4, rejection };
  if (caseName === "tooManyRequests") return { step: 9, rejection };
  if (caseName === "featureNotAllowed") return { step: 8, rejection };
  if (caseName === "unauthorized" && reason === "Connection not allowed") return { step: 5, rejection };
  return undefined;
}
