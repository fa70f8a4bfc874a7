/** A request as it travels, or as `curl --verbose` shows it. */
import { usageError } from "../cli-error.ts";
import type { SavedCall } from "./saved-call.ts";
import { splitUrl } from "./saved-call.ts";

const requestLine = /^([A-Za-z]+) +(\S+)(?: +HTTP\/[\d.]+)?$/;

export function readHttp(bytes: Buffer): SavedCall {
  return /^(?:[*<] .*\r?\n)*> /m.test(bytes.toString("latin1")) ? readVerbose(bytes) : readRaw(bytes);
}

/** `> ` stands before what curl sent; it does not show the body. */
function readVerbose(bytes: Buffer): SavedCall {
  const lines = bytes.toString("utf8").split(/\r?\n/);
  const sent = lines.filter((line) => line.startsWith("> ")).map((line) => line.slice(2));
  // With several requests in one output, the last is meant.
  const start = sent.findLastIndex((line) => requestLine.test(line));
  const head = readHead(sent.slice(Math.max(start, 0)));
  return { ...head, body: undefined, remarks: ["curl does not show the body it sent: give it with --body <file>."] };
}

function readRaw(bytes: Buffer): SavedCall {
  const text = bytes.toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  const head = readHead((end === null ? text : text.slice(0, end.index)).replace(/^\s+/, "").split(/\r?\n/));
  if (end === null) return { ...head, body: undefined, remarks: ["The file has no body behind its headers."] };
  return { ...head, ...cutBody(bytes.subarray(end.index + end[0].length), lengthIn(head.rawHeaders)) };
}

function readHead(lines: readonly string[]): Pick<SavedCall, "method" | "target" | "rawHeaders"> {
  const [first = "", ...rest] = lines;
  const [, method = "", url = ""] = requestLine.exec(first.trim()) ?? [];
  if (method === "") {
    throw usageError(
      `The file is no saved call: its first line is "${first.slice(0, 80)}", not a request such as POST /v1.0/transfer-intrabank HTTP/1.1.\nRaw HTTP, a curl command, a HAR and JSON are read: titian explain --help`,
    );
  }
  const rawHeaders = rest
    .filter((line) => line.trim() !== "")
    .flatMap((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw usageError(`"${line.slice(0, 80)}" is no header: a name, a colon and a value.`);
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
  return { method, target: splitUrl(url).target, rawHeaders };
}

function lengthIn(rawHeaders: readonly string[]): number | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "content-length");
  const text = at < 0 ? "" : (rawHeaders[at + 1] ?? "");
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** An editor writes a line break at the end of a file: Content-Length says whether it was sent. */
function cutBody(body: Buffer, length: number | undefined): Pick<SavedCall, "body" | "remarks"> {
  const unbroken = body.length - (/\r?\n$/.exec(body.subarray(-2).toString("latin1"))?.[0].length ?? 0);
  if (length === undefined) {
    const remarks = unbroken < body.length ? ["The line break at the end of the file is not taken as sent."] : [];
    return { body: body.subarray(0, unbroken), remarks };
  }
  if (length === body.length || length === unbroken) return { body: body.subarray(0, length), remarks: [] };
  return {
    body: body.subarray(0, length < body.length ? length : unbroken),
    remarks: [
      `Content-Length is ${length}, and the file has ${body.length} bytes of body: it is not the body that was sent.`,
    ],
  };
}
