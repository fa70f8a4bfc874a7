/** `titian listen` in a process of its own, as it runs in a terminal beside others. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { waitUntil } from "@titian/embedded-postgres";
import { bareEnvironment } from "./bare-environment.ts";
import { programFile } from "./program.ts";

/** The members of a line of `--json` that tests look at. */
export interface ListenLine {
  readonly event: "listening" | "notification" | "token";
  readonly address: string;
  readonly serviceCode: string | null;
  readonly status?: string;
  readonly meaning?: string;
  readonly referenceNo?: string;
  readonly copyOf: string | null;
  readonly verification: {
    readonly verified: boolean;
    readonly mode: 1 | 2;
    readonly failures: readonly string[];
    readonly partnerId?: string;
  };
  readonly reply: {
    readonly httpStatus: number | null;
    readonly responseCode: string | null;
    readonly failure: string | null;
  };
  readonly outcome?: { readonly state: string; readonly attempt?: number; readonly repeatedInSeconds?: number };
}

export interface Listener extends AsyncDisposable {
  /** Where it listens. */
  readonly address: string;
  /** Its notifications and token calls, in the order they were answered; asked for again until there are so many. */
  until(count: number): Promise<readonly ListenLine[]>;
  /** Standard output so far. */
  output(): string;
  /** Ends it; returns the exit code and standard error. */
  stop(
    signal: "SIGINT" | "SIGTERM" | "SIGKILL",
  ): Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
}

/** `line`: options of the command, without spaces within; `--json` must be among them for `until`. */
export async function startListener(dataDir: string, line = "--json"): Promise<Listener> {
  const args = ["--conditions=source", programFile, "listen", ...line.split(" ")];
  const child = spawn(process.execPath, args, { env: { ...bareEnvironment(), TITIAN_DATA_DIR: dataDir } });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (text) => (printed[name] += String(text)));
  const exited = once(child, "exit").then(([code]) => (Number.isInteger(code) ? Number(code) : null));
  const lines = (): ListenLine[] =>
    printed.stdout
      .split("\n")
      .filter((text) => text.startsWith("{"))
      .map((text) => JSON.parse(text) as ListenLine);
  /** A machine under load starts a process slowly. */
  const wait = async <Value>(ask: () => Value | undefined): Promise<Value> =>
    (await waitUntil(ask, { timeoutMs: 30_000, everyMs: 50 })) ??
    assert.fail(`titian listen: ${JSON.stringify(printed)}`);
  const address = await wait(() => {
    assert.equal(child.exitCode, null, printed.stderr);
    return lines()[0]?.address ?? / at (http\S+)/.exec(printed.stderr)?.[1];
  });
  const stop: Listener["stop"] = async (signal) => {
    child.kill(signal);
    return { exitCode: await exited, stderr: printed.stderr };
  };
  return {
    address,
    stop,
    output: () => printed.stdout,
    until: (count) =>
      wait(() => {
        const answered = lines().filter(({ event }) => event !== "listening");
        return answered.length >= count ? answered : undefined;
      }),
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}
