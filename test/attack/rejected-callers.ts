/** Callers of several languages whose body is rejected while they send it: each is to read status and body of its response. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Agent, request } from "undici";
import type { Sandbox } from "../support/black-box/start-sandbox.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { targetOf } from "./patterns.ts";

export interface RejectedCallers {
  readonly count: number;
  readonly bytes: number;
}

/** Calls whose body is rejected, each in its way. */
const calls = [
  { name: "a transfer of 1 MiB", suffix: "transfer-intrabank", hasToken: true, expected: /^400 .*"4001700"/ },
  {
    name: "a bulk without a valid token",
    suffix: "transfer-interbank-bulk",
    hasToken: false,
    expected: /^401 .*"4012001"/,
  },
  {
    name: "a bulk with a wrong signature",
    suffix: "transfer-interbank-bulk",
    hasToken: true,
    expected: /^401 .*"4012000"/,
  },
] as const;

interface Order {
  readonly url: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly count: number;
  /** Files with headers and body. */
  readonly headersFile: string;
  readonly bodyFile: string;
}

type Send = (order: Order) => Promise<readonly string[]>;

const callers: Readonly<Record<string, Send>> = {
  undici: sendByUndici,
  curl: (order) => runEach(order, "curl", curlArguments(order)),
  "curl without Expect": (order) => runEach(order, "curl", [...curlArguments(order), "-H", "Expect:"]),
  PHP: (order) => runEach(order, "php", [`${import.meta.dirname}/callers/call.php`, ...filesOf(order)]),
  "Java HttpClient": (order) => runJava(order, "HttpClient"),
  "Java HttpURLConnection": (order) => runJava(order, "HttpURLConnection"),
};

/** One line for each caller and call; `failed` are responses that were not read. */
export async function* callWhileRejected(
  sandbox: Sandbox,
  { count, bytes }: RejectedCallers,
): AsyncGenerator<{ readonly name: string; readonly read: number; readonly failed: readonly string[] }> {
  const directory = mkdtempSync(join(tmpdir(), "titian-callers-"));
  const [headersFile, bodyFile] = [join(directory, "headers"), join(directory, "body")];
  const body = Buffer.alloc(bytes, " ");
  const { root } = targetOf(sandbox.file);
  const alpha = sandbox.caller("alpha");
  const token = await alpha.token();
  try {
    for (const { name, suffix, hasToken, expected } of calls) {
      const headers = headersOf(alpha.partner.partnerId, hasToken ? token : "no.token");
      writeFileSync(headersFile, `${headers.join("\n")}\n`);
      writeFileSync(bodyFile, body);
      const order = { url: `${sandbox.file.baseUrl}${root}/${suffix}`, headers, body, count, headersFile, bodyFile };
      for (const [caller, send] of Object.entries(callers)) {
        const lines = await send(order);
        const failed = lines.filter((line) => !expected.test(line));
        yield { name: `${caller}: ${name}`, read: lines.length - failed.length, failed };
      }
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function headersOf(partnerId: string, token: string): readonly string[] {
  return [
    "Content-Type: application/json",
    `Authorization: Bearer ${token}`,
    `X-TIMESTAMP: ${timestampOf(Date.now())}`,
    `X-SIGNATURE: ${"A".repeat(86)}==`,
    `X-PARTNER-ID: ${partnerId}`,
    "X-EXTERNAL-ID: 41807553358950093184",
    "CHANNEL-ID: 95221",
  ];
}

async function sendByUndici({ url, headers, body, count }: Order): Promise<readonly string[]> {
  const agent = new Agent();
  const named = Object.fromEntries(headers.map((header) => header.split(": ")));
  const sendOne = async () => {
    const response = await request(url, { dispatcher: agent, method: "POST", headers: named, body });
    return `${response.statusCode} ${await response.body.text()}`;
  };
  const lines = await Promise.all(Array.from({ length: count }, () => sendOne().catch((error) => `failed: ${error}`)));
  await agent.destroy();
  return lines;
}

const filesOf = ({ url, headersFile, bodyFile }: Order) => [url, headersFile, bodyFile];

function curlArguments({ url, headersFile, bodyFile }: Order): readonly string[] {
  return ["-sS", "-o", "-", "-w", " %{http_code}", "-H", `@${headersFile}`, "--data-binary", `@${bodyFile}`, url];
}

/** A process for each call. */
function runEach({ count }: Order, program: string, args: readonly string[]): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, async () => toLine(await run(program, args))));
}

/** curl writes the status behind the body. */
function toLine(output: string): string {
  const [, body, status] = /^(\{.*\}) (\d{3})$/.exec(output.trim()) ?? [];
  return status === undefined ? output.trim() : `${status} ${body}`;
}

async function runJava(order: Order, client: string): Promise<readonly string[]> {
  const file = `${import.meta.dirname}/callers/Call.java`;
  const output = await run("java", [file, ...filesOf(order), String(order.count), client]);
  return output.trim().split("\n");
}

/** Runs a program and returns its output; its errors behind. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return `${output}${errors}`;
}
