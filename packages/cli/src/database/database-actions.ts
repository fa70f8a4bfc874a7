/** Actions of `titian database`. */
import { formatTimestamp } from "@titian/contract";
import { allCells, attachPartition, detachPartitions, listPartitions, type PartitionRow } from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { openUrl } from "./open-url.ts";
import { readDate } from "./read-date.ts";
import { formatJson, note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { readPublicKey } from "../options/public-key.ts";
import { findProviderKey } from "../with-core.ts";

export interface AttachFlags {
  readonly publicKey?: readonly string[];
}

export interface DetachFlags extends AttachFlags {
  readonly before: string;
  readonly yes?: true;
}

export async function partitions({ json }: { readonly json?: true }): Promise<void> {
  const rows = await listPartitions(openUrl());
  if (json === true) print(formatJson(rows));
  else print(formatTable(columns, rows.map(describe)));
}

const columns = {
  table: "table",
  name: "partition",
  from: "from",
  to: "to",
  rows: "rows, about",
  size: "size",
  state: "state",
};

function describe({ table, name, from, to, rows, bytes, isAttached }: PartitionRow) {
  const timeOf = (at: number | undefined) => (at === undefined ? "" : formatTimestamp(at));
  const state = isAttached ? "attached" : bytes === undefined ? "detached, not in this database" : "detached";
  const size = bytes === undefined ? "" : `${Math.ceil(bytes / 1_048_576)} MiB`;
  return { table, name, from: timeOf(from), to: timeOf(to), rows: rows < 0 ? "" : rows, size, state };
}

export async function detach({ before, publicKey = [], yes }: DetachFlags): Promise<ExitCode> {
  const time = readDate("--before", before);
  const formerKeys = publicKey.map(readPublicKey);
  const url = openUrl();
  const question = `Detach the partitions of entries, accepted requests and hold events that end before ${before}?`;
  if (yes !== true && !(await confirm(question))) {
    note("Nothing was detached.");
    return exitCodes.failed;
  }
  const { providerKey, keys } = await findProviderKey();
  const options = { formerKeys, keys, cells: findCells() };
  const { detached, kept, obstacles } = await detachPartitions(url, time, providerKey, options);
  if (obstacles.length > 0) throw new CliError(`Nothing was detached: ${obstacles.join("; ")}.`);
  for (const name of detached) print(`Detached ${name}`);
  for (const reason of kept) note(`${reason}.`);
  note(
    detached.length === 0
      ? `No partition that ends before ${before} can be detached.`
      : "They are tables of their own now: archive them (pg_dump --table), then drop them.",
  );
  return exitCodes.done;
}

/** Home, where an address of administration is set, and the cells of the file. */
function findCells() {
  const { administrationUrl: url, cells } = loadConfig({ needsSecrets: false });
  return url === undefined ? cells : allCells(url, cells);
}

export async function attach(name: string, { publicKey = [] }: AttachFlags): Promise<void> {
  const formerKeys = publicKey.map(readPublicKey);
  const { providerKey, keys } = await findProviderKey();
  const attached = await attachPartition(openUrl(), name, providerKey, formerKeys, keys);
  for (const partition of attached) print(`Attached ${partition}`);
  note("The next titian audit reads from this period on.");
}
