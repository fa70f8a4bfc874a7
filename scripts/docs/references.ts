/** References of documents: commands, links, files, settings. */
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { onEveryLine, type Document, type Drift } from "./document.ts";

/** Every `npm run x` named is a script of the root's package.json. */
export function checkCommands(documents: readonly Document[], scripts: readonly string[]): Drift[] {
  return onEveryLine(documents, (line) =>
    [...line.matchAll(/\bnpm run (?:-[\w-]+ )*(\w[\w:-]*)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !scripts.includes(name))
      .map((name) => `there is no \`npm run ${name}\` in package.json`),
  );
}

/** Every relative link leads to a file, and to a heading of it where it names one. */
export function checkLinks(documents: readonly Document[], root: string): Drift[] {
  return onEveryLine(documents, (line, document) =>
    [...line.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .flatMap((target) => checkLink({ target, from: document, documents, root })),
  );
}

interface Link {
  readonly target: string;
  readonly from: Document;
  readonly documents: readonly Document[];
  readonly root: string;
}

function checkLink({ target, from, documents, root }: Link): string[] {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? from.path : normalize(join(dirname(from.path), file));
  const linked = documents.find((document) => document.path === path);
  if (linked === undefined && !existsSync(join(root, path))) return [`the link leads nowhere: ${target}`];
  if (anchor === undefined || linked === undefined || anchors(linked).includes(anchor)) return [];
  return [`${path} has no heading #${anchor}`];
}

/** The names GitHub gives to headings. */
function anchors({ lines }: Document): string[] {
  return lines
    .filter((line) => /^#+ /.test(line))
    .map((line) => line.replace(/^#+ /, "").toLowerCase())
    .map((heading) => heading.replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}

/** Every file of ours named between backticks exists; a name with a placeholder is none. */
export function checkFileNames(documents: readonly Document[], root: string): Drift[] {
  return onEveryLine(documents, (line) =>
    [...line.matchAll(/`((?:packages|docs|scripts|vectors|bench|examples|\.ci)\/[\w./-]+)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `there is no ${path}`),
  );
}

/** Every setting named is one that config.ts reads. */
export function checkSettings(documents: readonly Document[], config: string): Drift[] {
  return onEveryLine(documents, (line) =>
    [...line.matchAll(/\bTITIAN_[A-Z_]*[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !config.includes(name))
      .map((name) => `no setting is called ${name}`),
  );
}
