/** Containerfile, compose file and what they are built from against the repository: nothing here can build them. */
import type { Drift } from "./document.ts";

export interface ContainerFiles {
  readonly containerfile: string;
  readonly compose: string;
  readonly ignored: string;
  /** The page that says how their secrets are made. */
  readonly page: string;
}

export interface ContainerFacts {
  /** Scripts of the root's package.json. */
  readonly scripts: readonly string[];
  /** Commands of `titian`. */
  readonly commands: readonly string[];
  /** Sources of the settings. */
  readonly config: string;
  /** As `>=24.0.0`: of the package that the image runs. */
  readonly engine: string;
  readonly exists: (path: string) => boolean;
}

interface Named {
  readonly path: string;
  readonly text: string;
}

export function checkContainers(files: ContainerFiles, facts: ContainerFacts): Drift[] {
  const containerfile = { path: "Containerfile", text: files.containerfile };
  const compose = { path: "compose.yaml", text: files.compose };
  const { scripts, commands, config, engine, exists } = facts;
  const major = /\d+/.exec(engine)?.[0];
  const isCommand = (name: string) => name.startsWith("-") || commands.includes(name);
  return [
    ...unless(
      containerfile,
      /^FROM node:(\d+)/gm,
      (found) => found === major,
      "no package is for the Node of the image",
    ),
    ...unless(containerfile, /npm run ([\w:-]+)/g, (name) => scripts.includes(name), "there is no such script"),
    ...unless(containerfile, /^ENTRYPOINT .*"([^"]+)"\]$/gm, exists, "there is no such file"),
    ...unless(containerfile, /^CMD \["([^"]+)"/gm, isCommand, "titian has no such command"),
    ...unless({ path: ".dockerignore", text: files.ignored }, /^!(.+)$/gm, exists, "there is no such file"),
    ...unless(compose, /entrypoint: .*"([^"]+)"\]$/gm, exists, "there is no such file"),
    ...unless(compose, /dockerfile: (\w+)/g, exists, "there is no such file"),
    ...unless(compose, /<<: \*titian\n[^]*?command: \["([^"]+)"/g, isCommand, "titian has no such command"),
    ...unless(
      compose,
      /\$\{SECRETS[^}]*\}\/([\w.-]+)/g,
      (name) => files.page.includes(`"$SECRETS/${name}"`),
      madeNowhere,
    ),
    ...[containerfile, compose].flatMap((file) =>
      unless(file, /\b(TITIAN_[A-Z_]*[A-Z])\b/g, (name) => config.includes(name), "no setting is called so"),
    ),
  ];
}

const madeNowhere = "docs/guides/operating.md makes no such secret";

/** Each match of which the first group does not hold. A pattern that is found nowhere is a fault itself. */
function unless({ path, text }: Named, pattern: RegExp, holds: (name: string) => boolean, message: string): Drift[] {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return [{ path, line: 1, message: `it has no ${pattern.source}` }];
  return matches.flatMap(({ 0: whole, 1: name = "", index }) =>
    holds(name)
      ? []
      : [{ path, line: text.slice(0, index + whole.length).split("\n").length, message: `${message}: ${name}` }],
  );
}
