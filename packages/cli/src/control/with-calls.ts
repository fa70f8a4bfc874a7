/** The carrier of a command's calls, chosen by its settings. */
import type { Core, GrantedAccounts } from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import { note } from "../output.ts";
import { chosenCell } from "../chosen-cell.ts";
import { readSandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { type CallRow, callsBy } from "./call-row.ts";
import { carrierTo, type Mount, mountOf } from "./http.ts";
import { inCell } from "./in-cell.ts";
import { openService } from "./service.ts";
import "../program-name.ts";

/**
 * Runs the work with the calls of the service that `TITIAN_URL` names; else, on the database of `TITIAN_ADMIN_DATABASE_URL`
 * or `DATABASE_URL`, or on the embedded one of a service for production, in this process; else with those of the running sandbox.
 */
export async function withCalls<Value>(work: (call: CallRow) => Promise<Value>): Promise<Value> {
  const { control, databaseUrl, administrationUrl, sandbox } = loadConfig({ needsSecrets: false });
  if (control !== undefined) return work(callsThere(openService(control)));
  if (databaseUrl !== undefined || administrationUrl !== undefined || !sandbox) {
    // Calls over HTTP need none of it, and it is much to load.
    const { findCell, withCore } = await import("../with-core.ts");
    return withCore(async (core) => {
      const { openAccounts } = await import("@titian/control/in-process");
      await using accounts = openAccounts(core, (cell) => findCell(core, cell));
      return await work(await callsInProcess(core, accounts));
    });
  }
  const path = sandboxFilePath(undefined);
  note(`Sandbox of ${path}`);
  return work(callsThere(mountOf(readSandboxFile(path))));
}

function callsThere(mount: Mount): CallRow {
  const [carry, cell] = [carrierTo(mount), chosenCell()];
  return callsBy(cell === 0 ? carry : inCell(carry, cell));
}

/** The same rows without a socket. */
export async function callsInProcess(core: Core, accounts?: GrantedAccounts): Promise<CallRow> {
  const { serveInProcess } = await import("@titian/control/in-process");
  const serve = serveInProcess(core, accounts);
  return callsBy(async (request) => {
    const { status, text } = await serve(request);
    return { status, answer: JSON.parse(text) };
  });
}
