/** Paths that callers sign instead of the one they call. */
import { operationRows, splitPath } from "@titian/contract";
import type { Received } from "../received.ts";
import { distinct, type Option, variation } from "./variation.ts";

const path = (value: string, id: Parameters<typeof variation>[1], parameters?: Readonly<Record<string, string>>) => ({
  value,
  by: [variation("path", id, parameters)],
});

/** Roots that other providers of the standard have. */
const foreignPrefixes = ["/snap", "/api", "/openapi", "/gateway"];
const foreignVersions = ["v1", "v1.0", "v1.1", "v2.0", "v2", "1.0"];

export function pathOptions({ target, headers, evidence }: Received): readonly Option<string>[] {
  const { prefixes, versions } = evidence.paths;
  const [bare, query] = splitQuery(target);
  const { prefix, version, suffix } = splitPath(bare) ?? { prefix: "", version: "", suffix: bare.slice(1) };
  const tail = query === undefined ? "" : `?${query}`;
  const unversioned = `${prefix}/${suffix}`;
  return distinct([
    { value: target, by: [] },
    path(`${unversioned}${tail}`, "path.withoutVersion", { version: `/${version}` }),
    ...(prefix === ""
      ? []
      : [
          path(`/${version}/${suffix}${tail}`, "path.withoutPrefix", { prefix }),
          path(`/${suffix}${tail}`, "path.suffixOnly", { prefix: `${prefix}/${version}` }),
        ]),
    ...(query === undefined ? [] : [path(bare, "path.withoutQuery"), path(`${bare}?`, "path.withoutQuery")]),
    path(`${bare}/${tail}`, "path.trailingSlash"),
    path(target.slice(1), "path.withoutSlash"),
    path(`${suffix}${tail}`, "path.suffixOnly", { prefix: `${prefix}/${version}/` }),
    path(`/${target}`, "path.doubledSlash"),
    path(`${prefix}/${version}//${suffix}${tail}`, "path.doubledSlash"),
    ...fullUrls(target, headers.host),
    path(target.toLowerCase(), "path.folded"),
    path(target.toUpperCase(), "path.folded"),
    ...(bare.endsWith("/") ? [path(`${bare.slice(0, -1)}${tail}`, "path.withoutTrailingSlash")] : []),
    ...decodings(target),
    ...(query === undefined ? [] : [path(`${bare}?${sortQuery(query)}`, "path.sortedQuery")]),
    ...[...versions, ...foreignVersions]
      .filter((other) => other !== version)
      .map((other) => path(`${prefix}/${other}/${suffix}${tail}`, "path.otherVersion", { version: other })),
    ...[...prefixes, ...foreignPrefixes]
      .filter((other) => other !== prefix)
      .map((other) => path(`${other}/${version}/${suffix}${tail}`, "path.otherPrefix", { prefix: other })),
    ...otherOperations(`${prefix}/${version}/`),
  ]);
}

function splitQuery(target: string): readonly [string, string | undefined] {
  const at = target.indexOf("?");
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}

function fullUrls(target: string, host = ""): readonly Option<string>[] {
  if (host === "") return [];
  return [`http://${host}${target}`, `https://${host}${target}`, `${host}${target}`].map((url) =>
    path(url, "path.fullUrl"),
  );
}

function decodings(target: string): readonly Option<string>[] {
  const encoded = [encodeURI(wellFormed(target)), encodeURIComponent(wellFormed(target))].map((text) =>
    path(text, "path.percentEncoded"),
  );
  try {
    return [path(decodeURIComponent(target), "path.percentDecoded"), ...encoded];
  } catch {
    return encoded;
  }
}

const wellFormed = (text: string) => text.toWellFormed();

function sortQuery(query: string): string {
  return query.split("&").toSorted().join("&");
}

function otherOperations(root: string): readonly Option<string>[] {
  return operationRows.map((row) => ({
    ...path(`${root}${row.path}`, "path.otherOperation", { path: `${root}${row.path}` }),
    isAlone: true,
  }));
}
