/** Node versions that packages need: their `engines`, their READMEs, and every other page that names one. */
import { type Document, type Drift, onEveryLine } from "./document.ts";

/** A package by its directory, `.` for the root, with its `engines.node`. */
export interface NodeEngine {
  readonly directory: string;
  readonly engine: string | undefined;
}

const phrase = /\bNode (\d+(?:\.\d+)?) (?:or|and) (?:newer|later)\b/g;

export function checkNodeVersions(documents: readonly Document[], engines: readonly NodeEngine[]): Drift[] {
  const known = engines.map(({ engine }) => minimum(engine));
  const unknown = onEveryLine(documents, (line) =>
    [...line.matchAll(phrase)]
      .map(([, version = ""]) => version)
      .filter((version) => !known.includes(version))
      .map((version) => `no package has Node ${version} as the oldest in its \`engines\``),
  );
  return [...unknown, ...engines.flatMap((engine) => checkReadme(documents, engine))];
}

function checkReadme(documents: readonly Document[], { directory, engine }: NodeEngine): Drift[] {
  const path = directory === "." ? "README.md" : `${directory}/README.md`;
  const oldest = minimum(engine);
  if (oldest === undefined) return [{ path, line: 1, message: "package.json has no `engines.node` as >=24.0.0" }];
  const text = documents.find((document) => document.path === path)?.lines.join(" ") ?? "";
  if (text.includes(`Node ${oldest} or newer`)) return [];
  return [{ path, line: 1, message: `it does not say "Node ${oldest} or newer", as \`engines\` does` }];
}

/** `>=24.0.0` is 24, `>=20.19.0` is 20.19. */
function minimum(engine: string | undefined): string | undefined {
  const [, major, minor] = /^>=(\d+)\.(\d+)\.0$/.exec(engine ?? "") ?? [];
  return minor === "0" ? major : major && `${major}.${minor}`;
}
