/** Complete lists of the documents: settings, metrics, log events, commands, rules of the specification, ADRs. */
import { basename } from "node:path";
import { isAdr } from "./adr.ts";
import type { Document, Drift } from "./document.ts";

/** List of names that a document must have: where they come from, and how one may not be missing. */
interface Listing {
  readonly document: Document | undefined;
  readonly path: string;
  /** As it stands in the document. */
  readonly names: readonly string[];
  readonly what: string;
}

/** Every name stands in the document. */
export function checkListing({ document, path, names, what }: Listing): Drift[] {
  if (document === undefined) return [{ path, line: 1, message: "the document is missing" }];
  const text = document.lines.join("\n");
  return names
    .filter((name) => !text.includes(name))
    .map((name) => ({ path, line: 1, message: `${what} ${name} is missing` }));
}

/** The variables that config.ts reads, each as it stands in a table. */
export function settingsIn(config: string): readonly string[] {
  return [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = ""]) => `| \`${name}\` |`);
}

/** The metrics that sources register. */
export function metricsIn(sources: readonly string[]): readonly string[] {
  const named = sources.flatMap((source) => [...source.matchAll(/name: "(titian_\w+)"/g)].map(([, name = ""]) => name));
  return [...new Set(named)].map((name) => `| \`${name}\` |`);
}

/** The events of the log, from their type. */
export function eventsIn(source: string): readonly string[] {
  return [...source.matchAll(/\| "([a-z_.]+)"/g)].map(([, event = ""]) => `\`${event}\``);
}

/** The commands of `titian` that sources add. */
export function commandNames(sources: readonly string[]): readonly string[] {
  const added = /\bprogram\s*\.command\("([a-z-]+)"/g;
  return sources.flatMap((source) => [...source.matchAll(added)].map(([, name = ""]) => name));
}

/** The same, each as it begins a row of a table. */
export function commandsIn(sources: readonly string[]): readonly string[] {
  return commandNames(sources).map((name) => `| \`titian ${name}`);
}

/** A heading for each rule of the specification, D1 to the last. */
export function ruleHeadings(last: number): readonly string[] {
  return Array.from({ length: last }, (_, index) => `\n## D${index + 1} `);
}

/** A row for each number of an ADR up to the last: one that was withdrawn says so. */
export function adrNumbers(documents: readonly Document[]): readonly string[] {
  const last = Math.max(
    0,
    ...documents.filter(({ path }) => isAdr(path)).map(({ path }) => Number(basename(path).slice(0, 4))),
  );
  return Array.from({ length: last }, (_, index) => `${String(index + 1).padStart(4, "0")} `);
}

/** A row for each ADR. */
export function adrLinks(documents: readonly Document[]): readonly string[] {
  return documents.filter(({ path }) => isAdr(path)).map(({ path }) => `](${basename(path)})`);
}

interface Vectors {
  readonly generated: { readonly vectors: readonly Readonly<Record<string, string>>[] };
}

/** The values of signature vectors, which their own test verifies. */
export function vectorValues({ generated }: Vectors, ids: readonly string[]): readonly string[] {
  const members = ["bodyAsSent", "bodyHash", "stringToSign", "signatureBase64"];
  return ids.flatMap((id) => {
    const vector = generated.vectors.find((one) => one["id"] === id);
    return members.flatMap((name) => vector?.[name] ?? []);
  });
}
