/** Step 1: path and method (spec D1). */
import { type OperationRow, operationRows } from "@titian/contract";
import { nearest } from "../nearest.ts";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { shown } from "../shown.ts";
import { diagnose } from "../state.ts";

/** A longer path is no misspelling. */
const pathLengthMax = 200;

export function explainPath({ evidence, operation, target }: Received): Diagnosis {
  if (operation !== undefined) return diagnose("method", "method", "call.method", { method: shown(evidence.method) });
  const [path = ""] = target.split("?", 1);
  const { prefixes, versions } = evidence.paths;
  const served = prefixes.flatMap((prefix) => versions.map((version) => `${prefix}/${version}`));
  const root = served[0] ?? "";
  const said = { path: shown(path), root };
  const callable = operationRows.filter(({ direction }) => direction === "toProvider");
  const pathsOf = (rows: readonly OperationRow[]) => rows.map((row) => `${root}/${row.path}`);
  const stripped = path.replace(/\/+$/, "");

  const notification = operationRows.find((row) => row.direction === "toPartner" && stripped.endsWith(`/${row.path}`));
  if (notification !== undefined) return diagnose("path", "path", "call.notification", said);
  const known = new Set(served.flatMap((base) => callable.map((row) => `${base}/${row.path}`)));
  if (known.has(stripped)) return diagnose("path", "path", "call.trailingSlash", { ...said, near: stripped });
  const named = callable.find((row) => stripped.endsWith(`/${row.path}`) || stripped === `/${row.path}`);
  if (named !== undefined) return wrongRoot(stripped, named, { root, versions, said });
  const near = path.length > pathLengthMax ? undefined : nearest(stripped, pathsOf(callable));
  return near === undefined
    ? diagnose("path", "path", "call.unknownPath", said)
    : diagnose("path", "path", "call.unknownPathNear", { ...said, near });
}

/** The end of the path is known; what stands before it is not. */
function wrongRoot(
  path: string,
  row: OperationRow,
  { root, versions, said }: { root: string; versions: readonly string[]; said: Readonly<Record<string, string>> },
): Diagnosis {
  const before = path.slice(0, path.length - row.path.length - 1);
  const version = /\/(v\d+(?:\.\d+)*)$/.exec(before)?.[1];
  const near = `${root}/${row.path}`;
  if (before === "") return diagnose("path", "path", "call.missingRoot", { ...said, near });
  if (version !== undefined && !versions.includes(version)) {
    return diagnose("path", "version", "call.unknownVersion", { version, versions: versions.join(", "), near });
  }
  return diagnose("path", "path", "call.unknownPathNear", { ...said, near });
}
