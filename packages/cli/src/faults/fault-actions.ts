/** What `titian sandbox fault` runs. */
import { array, number, object, optional, string } from "@titian/contract";
import { findOperation } from "../call/find-operation.ts";
import { usageError } from "../cli-error.ts";
import { readDuration } from "../options/duration.ts";
import { formatJson, note, print } from "../output.ts";
import { callControl } from "../sandbox/control-call.ts";
import { readSandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { formatTable } from "../tables/table.ts";

export interface FaultFlags {
  readonly json?: true;
  readonly sandboxFile?: string;
}

export interface AddFaultFlags extends FaultFlags {
  readonly next: string;
  readonly delay?: string;
  readonly operation?: string;
}

const Faults = object({
  partnerId: string(),
  faults: array(
    object({
      fault: string(),
      next: number(),
      delayMs: optional(number()),
      operation: optional(string()),
    }),
  ),
});

export async function addFault(partnerId: string, fault: string, flags: AddFaultFlags): Promise<void> {
  const { next, delay, operation } = flags;
  if (!/^\d{1,7}$/.test(next)) throw usageError(`--next ${next} is not a number of calls from 1 to 1000000.`);
  await show(partnerId, flags, {
    method: "POST",
    body: {
      fault,
      next: Number(next),
      ...(delay !== undefined && { delayMs: readDuration("--delay", delay) * 1_000 }),
      ...(operation !== undefined && { operation: findOperation(operation).name }),
    },
  });
}

export async function listFaults(partnerId: string, flags: FaultFlags): Promise<void> {
  await show(partnerId, flags, { method: "GET" });
}

export async function clearFaults(partnerId: string, flags: FaultFlags): Promise<void> {
  await show(partnerId, flags, { method: "DELETE" });
}

/** What calls of the partner are still to meet, after the control call. */
async function show(
  partnerId: string,
  { json, sandboxFile }: FaultFlags,
  call: { readonly method: "GET" | "POST" | "DELETE"; readonly body?: object },
): Promise<void> {
  const file = readSandboxFile(sandboxFilePath(sandboxFile));
  const path = `partners/${encodeURIComponent(partnerId)}/faults`;
  const answer = await callControl(file, Faults, { ...call, path });
  if (json === true) print(formatJson(answer));
  else if (answer.faults.length === 0) note(`Calls of ${partnerId} meet no faults.`);
  else
    print(
      formatTable({ fault: "fault", next: "calls left", operation: "operation", delayMs: "delay (ms)" }, answer.faults),
    );
}
