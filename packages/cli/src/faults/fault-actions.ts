/** Actions of `titian sandbox fault`. */
import type { FaultView } from "@titian/sandbox/types";
import { findOperation } from "../call/find-operation.ts";
import { usageError } from "../cli-error.ts";
import { readDuration } from "../options/duration.ts";
import { note, print } from "../output.ts";
import { type SandboxFlags, sandboxCalls } from "../control/sandbox-calls.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

export interface AddFaultFlags extends SandboxFlags {
  readonly next: string;
  readonly delay?: string;
  readonly operation?: string;
}

export async function addFault(partnerId: string, fault: string, flags: AddFaultFlags): Promise<void> {
  const { next, delay, operation } = flags;
  if (!/^\d{1,7}$/.test(next)) throw usageError(`--next ${next} is not a number of calls from 1 to 1000000.`);
  const body = {
    // The sandbox says which there are.
    fault: fault as FaultView["fault"],
    next: Number(next),
    ...(delay !== undefined && { delayMs: readDuration("--delay", delay) * 1_000 }),
    ...(operation !== undefined && { operation: findOperation(operation).name }),
  };
  const given = { params: { partnerId }, body };
  show(await sandboxCalls(flags)("POST /partners/{partnerId}/faults", given), flags);
}

export async function listFaults(partnerId: string, flags: SandboxFlags): Promise<void> {
  const given = { params: { partnerId } };
  show(await sandboxCalls(flags)("GET /partners/{partnerId}/faults", given), flags);
}

export async function clearFaults(partnerId: string, flags: SandboxFlags): Promise<void> {
  const given = { params: { partnerId } };
  show(await sandboxCalls(flags)("DELETE /partners/{partnerId}/faults", given), flags);
}

interface Planned {
  readonly partnerId: string;
  readonly faults: readonly FaultView[];
}

/** Shows the faults that calls of the partner are still to meet, after the control call. */
function show(answer: Planned, { json }: SandboxFlags): void {
  const { partnerId, faults } = answer;
  if (json === true) print(formatList(answer, faults));
  else if (faults.length === 0) note(`Calls of ${partnerId} meet no faults.`);
  else
    print(formatTable({ fault: "fault", next: "calls left", operation: "operation", delayMs: "delay (ms)" }, faults));
}
