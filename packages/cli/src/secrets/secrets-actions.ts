/** Actions of `titian secrets`. */
import { openKeys, resealSecrets } from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { openUrl } from "../database/open-url.ts";
import { formatJson, note, print } from "../output.ts";
import { startProgress } from "../progress.ts";
import { formatTable } from "../tables/table.ts";

export interface ResealFlags {
  readonly check?: true;
  readonly lost?: string;
  readonly json?: true;
}

export async function reseal({ check, lost, json }: ResealFlags): Promise<ExitCode> {
  const { masterKeys } = await openKeys(loadConfig({ needsSecrets: false }));
  if (masterKeys === undefined) throw usageError("TITIAN_MASTER_KEY is not set: what is sealed is sealed for it.");
  const url = openUrl();
  const progress = check ? undefined : startProgress({ what: "secrets", done: "read" });
  const onProgress = (done: number, total: number) => progress?.update(done, total);
  const report = await resealSecrets(url, masterKeys, { isCheck: check === true, lost, onProgress }).finally(() =>
    progress?.stop(),
  );
  const { keyId, resealed, left, damaged } = report;
  const isDone = left.length === 0;
  if (json) print(formatJson(report));
  else {
    print(
      `${check ? "Nothing was changed." : `Sealed anew: ${resealed}.`} Left for other keys than ${keyId}: ${sum(left)}.`,
    );
    if (!isDone) print(formatTable({ what: "what", keyId: "master key", count: "count" }, left));
  }
  for (const { partnerId, credential } of damaged)
    note(`The client secret ${credential} of ${partnerId} does not open: add another one (titian partner secret add).`);
  if (left.some(({ what }) => what === "acts that wait"))
    note("What acts would write is sealed in them: approve or refuse them (titian act list --open), and repeat this.");
  if (!isDone && !check)
    note(
      "Give the master key of what is left as TITIAN_MASTER_KEY_PREVIOUS and repeat this; keep it until nothing is left.",
    );
  return isDone ? exitCodes.done : exitCodes.failed;
}

function sum(left: readonly { readonly count: number }[]): number {
  return left.reduce((all, { count }) => all + count, 0);
}
