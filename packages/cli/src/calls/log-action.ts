/** Action of `titian log`: the newest calls of the sandbox, and on demand those that follow. */
import type { IncomingMessage } from "node:http";
import { jsonLine } from "../tables/plain.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { CallView, SkippedView } from "@titian/sandbox/types";
import { CliError, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { callPageMax, pageSizeOf } from "../options/page-size.ts";
import { callsOf, openStream as openCallStream } from "../control/http.ts";
import { readSandboxFile, type SandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { formatCall, formatSkipped } from "./call-line.ts";
import { readEvents, type StreamEvent } from "./read-events.ts";

export interface LogFlags {
  readonly follow?: true;
  readonly partner?: string;
  readonly refused?: true;
  readonly limit: string;
  readonly json?: true;
  readonly sandboxFile?: string;
}

const againMs = 1_000;

export async function showLog(flags: LogFlags): Promise<void> {
  // As of `titian log --follow | head`.
  process.stdout.on("error", () => process.exit(exitCodes.done));
  const limit = pageSizeOf(flags.limit, "--limit", callPageMax);
  const query = queryOf(flags);
  const path = sandboxFilePath(flags.sandboxFile);
  const file = readSandboxFile(path);
  // Opened first, so that no call is missed in between.
  const stream = flags.follow === true ? await openStream(file, query, undefined) : undefined;
  const { calls } = await callsOf(() => file)("GET /calls", { query: { ...query, limit } });
  for (const call of calls.toReversed()) await showCall(file, call, flags);
  if (stream === undefined) {
    if (calls.length === 0) note("No call is recorded.");
    return;
  }
  await follow({ flags, query, path, shown: new Set(calls.map(({ id }) => id)) }, stream);
}

/** Query of the list and of the stream. */
type CallQuery = { readonly partnerId: string | undefined; readonly refused: "true" | undefined };

interface Following {
  readonly flags: LogFlags;
  readonly query: CallQuery;
  /** Path of sandbox.json, read again when the sandbox is another one. */
  readonly path: string;
  /** Ids of calls that are shown already. */
  readonly shown: ReadonlySet<string>;
}

interface OpenStream {
  readonly file: SandboxFile;
  readonly response: IncomingMessage;
}

/** Ends with the process. */
async function follow({ flags, query, path, shown }: Following, first: OpenStream): Promise<never> {
  let last: string | undefined;
  const read = async ({ file, response }: OpenStream) => {
    for await (const event of readEvents(response)) {
      last = event.id ?? last;
      await showEvent(file, event, flags, shown);
    }
  };
  for (let stream: OpenStream | undefined = first; ; ) {
    if (stream !== undefined) {
      await read(stream).catch(() => undefined);
      note("The sandbox has stopped; trying to reach it again every second. Ctrl-C ends this.");
    }
    await sleep(againMs);
    stream = await openAgain(path, query, last);
  }
}

/** Undefined while the sandbox is away. */
async function openAgain(path: string, query: CallQuery, last: string | undefined): Promise<OpenStream | undefined> {
  try {
    return await openStream(readSandboxFile(path), query, last);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

async function openStream(file: SandboxFile, query: CallQuery, last: string | undefined): Promise<OpenStream> {
  const headers = last === undefined ? {} : { "Last-Event-ID": last };
  return { file, response: await openCallStream(file, "GET /calls/stream", { query, headers }) };
}

function queryOf({ partner, refused }: LogFlags): CallQuery {
  return { partnerId: partner, refused: refused === true ? "true" : undefined };
}

async function showEvent(
  file: SandboxFile,
  { name, data }: StreamEvent,
  flags: LogFlags,
  shown: ReadonlySet<string>,
): Promise<void> {
  // Events are of the shape that the control API documents.
  if (name === "call") {
    const call = JSON.parse(data) as CallView;
    if (!shown.has(call.id)) await showCall(file, call, flags);
  } else if (name === "skipped") {
    const skipped = JSON.parse(data) as SkippedView;
    if (flags.json === true) print(jsonLine({ event: name, ...skipped }));
    else print(formatSkipped(skipped.calls + skipped.unrecorded));
  }
}

async function showCall(file: SandboxFile, call: CallView, { json }: LogFlags): Promise<void> {
  const reason = call.isRefused ? await findReason(file, call) : undefined;
  const explained = { ...call, ...(reason !== undefined && { reason }) };
  if (json === true) print(jsonLine({ event: "call", ...explained }));
  else for (const line of formatCall(explained)) print(line);
}

/** Undefined for a call that is recorded no more, and while the sandbox has no time for it. */
async function findReason(file: SandboxFile, { id }: CallView): Promise<string | undefined> {
  const details = await callsOf(() => file)("GET /calls/{id}", { params: { id } }).catch(() => undefined);
  return details?.diagnosis?.sentence;
}
