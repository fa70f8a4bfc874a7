/** What every part of the demo's story is told with. */
import { type Client, isSnapError } from "@titian/client";
import type { SandboxFile } from "../../packages/server/src/cli/sandbox-file.ts";
import type { ControlApi } from "../support/control-api.ts";
import type { Narrator } from "./narrator.ts";

export interface Stage {
  readonly client: Client;
  readonly control: ControlApi;
  readonly narrator: Narrator;
  /** Who calls. */
  readonly partnerId: string;
  /** Its first merchant. */
  readonly merchant: SandboxFile["merchants"][number];
  /** Accounts at other banks, by what the simulated rails do with them. */
  readonly scenarios: SandboxFile["scenarios"];
}

/** The response code, with the message unless it is a success. */
export async function codeOf(answer: Promise<{ readonly responseCode: string }>): Promise<string> {
  try {
    return (await answer).responseCode;
  } catch (error) {
    if (!isSnapError(error)) throw error;
    return `${error.responseCode} ${error.responseMessage}`;
  }
}

/** The last chapter. */
export async function audit({ control, narrator }: Stage): Promise<void> {
  narrator.chapter("The audit: everything recomputed from the entries");
  const { ok, findings } = await control.audit();
  narrator.expect("audit", "clean", ok ? "clean" : `${findings.length} findings`);
}

export const idr = (value: string) => ({ value, currency: "IDR" });
