/** The carrier of a command's calls, chosen by its settings. */
import type { Core } from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import { note } from "../output.ts";
import { requireHome } from "../chosen-cell.ts";
import { readSandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { type CallRow, callsBy } from "./call-row.ts";
import { callsAt, mountOf } from "./http.ts";
import { openService } from "./service.ts";
import "../program-name.ts";

/**
 * Runs the work with the calls of the service that `TITIAN_URL` names; else, on the database of `TITIAN_ADMIN_DATABASE_URL`
 * or `DATABASE_URL`, or on the embedded one of a service for production, in this process; else with those of the running sandbox.
 */
export async function withCalls<Value>(work: (call: CallRow) => Promise<Value>): Promise<Value> {
  const { control, databaseUrl, administrationUrl, sandbox } = loadConfig({ needsSecrets: false });
  if (control !== undefined) {
    requireHome();
    return work(callsAt(openService(control)));
  }
  if (databaseUrl !== undefined || administrationUrl !== undefined || !sandbox) {
    // Calls over HTTP need none of it, and it is much to load.
    const { withCore } = await import("../with-core.ts");
    return withCore(async (core) => work(await callsInProcess(core)));
  }
  requireHome();
  const path = sandboxFilePath(undefined);
  note(`Sandbox of ${path}`);
  return work(callsAt(mountOf(readSandboxFile(path))));
}

/** The same rows without a socket. */
export async function callsInProcess(core: Core): Promise<CallRow> {
  const { serveInProcess } = await import("@titian/control/in-process");
  const serve = serveInProcess(core);
  return callsBy(async (request) => {
    const { status, text } = await serve(request);
    return { status, answer: JSON.parse(text) };
  });
}
