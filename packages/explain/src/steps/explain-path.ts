/** Step 1: path and method (spec D1). */
import {
  isFreePrefix,
  isServedRoot,
  operationAt,
  operationRows,
  type ServedPaths,
  splitPath,
  suffixesOf,
} from "@titian/contract";
import { nearest } from "../nearest.ts";
import type { Received } from "../received.ts";
import type { Diagnosis } from "../report.ts";
import { shown } from "../shown.ts";
import { diagnose, type Parameters } from "../state.ts";
import type { SentenceId } from "../sentences/sentences.ts";

/** A longer path is no misspelling. */
const pathLengthMax = 200;
const looksLikeVersion = /^[vV]?\d+(?:\.\d*)*$/;

export function explainPath({ evidence, operation, target }: Received): Diagnosis {
  if (operation !== undefined) return diagnose("method", "method", "call.method", { method: shown(evidence.method) });
  const [path = ""] = target.split("?", 1);
  const stripped = path.replace(/\/+$/, "");
  const { paths } = evidence;
  const about = (id: SentenceId, parameters: Parameters = {}) =>
    diagnose("path", "path", id, { path: shown(path), ...parameters });

  const isNotification = operationRows.some((row) => row.direction === "toPartner" && endsWith(stripped, row.path));
  if (isNotification) return about("call.notification");
  if (operationAt(stripped, paths) !== undefined) return about("call.trailingSlash", { near: shown(stripped) });
  const suffixes = [...suffixesOf(paths.aliases).keys()];
  const suffix = suffixes.find((known) => endsWith(`/${stripped}`, known));
  if (suffix !== undefined) return wrongRoot(stripped, suffix, paths, about);
  return wrongSuffix(stripped, suffixes, paths, about);
}

type About = (id: SentenceId, parameters?: Parameters) => Diagnosis;

const endsWith = (path: string, suffix: string) => path.endsWith(`/${suffix}`);

/** `{prefix}/{version}` as announced. */
function rootOf({ prefixes: [prefix = ""], versions: [version = ""] }: ServedPaths): string {
  return `${prefix}/${version}`;
}

/** The end of the path is known; what stands before it is not. */
function wrongRoot(path: string, suffix: string, paths: ServedPaths, about: About): Diagnosis {
  const root = rootOf(paths);
  const near = `${root}/${suffix}`;
  const { prefixes, versions, anyRoot } = paths;
  const before = path.slice(0, Math.max(0, path.length - suffix.length - 1));
  const [last = ""] = before.split("/").slice(-1);
  const prefix = before.slice(0, -last.length - 1);
  if (looksLikeVersion.test(last) && !isServedVersion(last, paths)) {
    const served = versions.join(", ");
    const version = { version: shown(last), versions: served, near };
    return { ...about(anyRoot ? "call.versionForm" : "call.unknownVersion", version), part: "version" };
  }
  if (!looksLikeVersion.test(last)) {
    const isFree = anyRoot === true && isFreePrefix(before);
    const missing = isFree ? `/${versions[0] ?? ""}` : root;
    return about("call.missingRoot", { root: missing, near: isFree ? `${before}${missing}/${suffix}` : near });
  }
  if (anyRoot) return about("call.prefixForm", { prefix: shown(prefix), near });
  const served = prefixes.map((text) => (text === "" ? '""' : text)).join(", ");
  return about("call.unknownPrefix", { prefix: prefix === "" ? '""' : shown(prefix), prefixes: served, near });
}

/** In the sandbox any is that has a version's form. */
function isServedVersion(version: string, { versions, anyRoot }: ServedPaths): boolean {
  return anyRoot === true ? splitPath(`/${version}`) !== undefined : versions.includes(version);
}

/** The text before the end of the path may be right; its end is not. */
function wrongSuffix(path: string, suffixes: readonly string[], paths: ServedPaths, about: About): Diagnosis {
  const parts = splitPath(path);
  const isServed = parts !== undefined && isServedRoot(parts, paths);
  const root = isServed ? `${parts.prefix}/${parts.version}` : rootOf(paths);
  const known = suffixes.map((suffix) => `${root}/${suffix}`);
  const near = path.length > pathLengthMax ? undefined : nearest(path, known);
  const said = near === undefined ? {} : { near };
  if (isServed && paths.anyRoot !== true) {
    return about(near === undefined ? "call.unknownSuffix" : "call.unknownSuffixNear", said);
  }
  return about(near === undefined ? "call.unknownPath" : "call.unknownPathNear", said);
}
