/** Where operations are served: `{prefix}/{version}/{suffix}` (spec D1). */
import { type OperationName, type OperationRow, operationRows } from "./operations.ts";

export interface ServedPaths {
  /** The first is announced, and so is the first version. */
  readonly prefixes: readonly string[];
  readonly versions: readonly string[];
  /** Suffixes that operations are served at beside their own. */
  readonly aliases?: PathAliases;
  /** True in the sandbox: any prefix and any version are served beside the listed ones. */
  readonly anyRoot?: boolean;
}

export type PathAliases = Readonly<Partial<Record<OperationName, readonly string[]>>>;

interface PathParts {
  /** Empty, or with a slash at its start and none at its end. */
  readonly prefix: string;
  readonly version: string;
  readonly suffix: string;
}

const versionSegment = /^v\d+(?:\.\d+)?$/;
const prefixSegment = /^[A-Za-z0-9._-]+$/;
/** First segments of what else a sandbox serves: control calls, documentation, health, metrics, the console's files. */
const reservedSegments = new Set(
  ["sandbox", "docs", "llms.txt", "health", "metrics", "openapi.json"].concat(["assets", "index.html"]),
);

/** A path's parts by its last version; undefined without one. No suffix has a segment like a version. */
export function splitPath(path: string): PathParts | undefined {
  const segments = path.split("/");
  const at = segments.findLastIndex((segment) => versionSegment.test(segment));
  return at < 1 || segments[0] !== ""
    ? undefined
    : {
        prefix: segments.slice(0, at).join("/"),
        version: segments[at] ?? "",
        suffix: segments.slice(at + 1).join("/"),
      };
}

/** True when a sandbox serves operations behind this prefix. */
export function isFreePrefix(prefix: string): boolean {
  const [, ...segments] = prefix.split("/");
  const isPlain = segments.every((segment) => prefixSegment.test(segment) && !/^\.+$/.test(segment));
  return isPlain && !reservedSegments.has(segments[0] ?? "");
}

/** Every suffix that partners call, aliases included, with its operation. */
export function suffixesOf(aliases: PathAliases = {}): ReadonlyMap<string, OperationRow> {
  const rows = operationRows.filter(({ direction }) => direction === "toProvider");
  return new Map(
    rows.flatMap((row) => [row.path, ...(aliases[row.name] ?? [])].map((suffix) => [suffix, row] as const)),
  );
}

/** True when calls are served behind this prefix and version. */
export function isServedRoot({ prefix, version }: Omit<PathParts, "suffix">, served: ServedPaths): boolean {
  if (served.anyRoot === true && isFreePrefix(prefix)) return true;
  return served.prefixes.includes(prefix) && served.versions.includes(version);
}

/** The operation at a path without query; undefined: none. */
export function operationAt(path: string, served: ServedPaths): OperationRow | undefined {
  const parts = splitPath(path);
  return parts && isServedRoot(parts, served) ? suffixesOf(served.aliases).get(parts.suffix) : undefined;
}

const aliasPattern = /^[A-Za-z0-9._~-]{1,64}(?:\/[A-Za-z0-9._~-]{1,64}){0,7}$/;

/** Finds the mistake in a requested alias; undefined: it can be served. */
export function findAliasFault(suffix: string, aliases: PathAliases): string | undefined {
  if (!aliasPattern.test(suffix) || suffix.split("/").some((segment) => /^\.+$/.test(segment))) {
    return "is no path such as transfer/intrabank, without a slash at its start or end";
  }
  if (suffix.split("/").some((segment) => versionSegment.test(segment))) return "has a segment like a version";
  const owner = operationRows.find(({ name, path }) => path === suffix || aliases[name]?.includes(suffix));
  return owner && `is the path of ${owner.name}`;
}
