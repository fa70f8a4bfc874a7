/** The installed packages under one Node: the command starts, or says in one sentence which Node it needs. */
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { startSandbox } from "../../test/support/black-box/start-sandbox.ts";
import { type FoundNode, minimumOf, satisfies } from "./nodes.ts";
import { type Finished, npmCommand, run, runToEnd } from "./run.ts";

export interface Installed {
  /** Directory in which all packages are installed, and the one with those of callers alone. */
  readonly provider: string;
  readonly integrator: string;
  /** `engines` of the packages. */
  readonly engines: { readonly titian: string; readonly client: string };
}

const launcher = "node_modules/titian/bin/titian.cjs";

/** `npx titian` under the Node. Answers in a few words what came of it. @throws when it is not as it should be. */
export function checkCommand(node: FoundNode, { provider, engines }: Installed): string {
  const options = { cwd: provider, env: environmentOf(node) };
  const [program, args] = npmCommand(["exec", "--no", "--loglevel=error", "--", "titian", "--version"], node.path);
  const version = runToEnd(program, args, options);
  if (satisfies(node.version, engines.titian)) {
    if (version.status !== 0 || !/^\d+\.\d+\.\d+\n$/.test(version.output))
      throw new Error(failed(node, version.output));
    const help = run(node.path, [launcher, "--help"], options);
    if (!help.includes("serve")) throw new Error(failed(node, help));
    return "npx titian runs";
  }
  const oldest = minimumOf(engines.titian).replace(/(\.0)+$/, "");
  const sentence = new RegExp(
    `^titian \\d+\\.\\d+\\.\\d+ needs Node ${oldest} or newer, and this is Node [^\n]+\\.\n$`,
  );
  for (const { status, output } of [version, runToEnd(node.path, [launcher, "serve"], options)]) {
    if (status !== 1 || !sentence.test(output)) throw new Error(failed(node, output));
  }
  return `one sentence: needs Node ${oldest}`;
}

/** Proves that the sentence's advice works. */
export function checkAdvice(node: FoundNode, { provider }: Installed): void {
  const options = { cwd: provider, env: environmentOf(node) };
  const { output } = runToEnd(node.path, [launcher, "--version"], options);
  const npmPackage = /`npx -p (\S+) titian \.\.\.`/.exec(output)?.[1];
  if (npmPackage === undefined) throw new Error(failed(node, output));
  const rest = ["--yes", "--loglevel=error", `--package=${npmPackage}`, "--", "titian", "--version"];
  const isVersion = ({ status, output: text }: Finished) => status === 0 && /^\d+\.\d+\.\d+\n$/.test(text);
  const runAdvice = (more: readonly string[]) =>
    runToEnd(...npmCommand(["exec", ...more, ...rest], node.path), options);
  // Nothing that is in npm's cache is fetched; but that may know a release of Node without its files for this platform.
  const cached = runAdvice(["--prefer-offline"]);
  const advised = isVersion(cached) ? cached : runAdvice([]);
  if (!isVersion(advised)) throw new Error(failed(node, advised.output));
}

/** The installed sandbox under one Node, while it is called from others with the installed client. */
export async function checkSandbox(
  server: FoundNode,
  callers: readonly FoundNode[],
  installed: Installed,
): Promise<void> {
  const script = [join(installed.provider, launcher), "serve"];
  await using sandbox = await startSandbox({}, { database: "embedded", script, node: server.path });
  await checkConsole(sandbox.file.baseUrl);
  await checkReference(sandbox.file.baseUrl);
  for (const { path, version } of callers) {
    const args = ["call.mjs", join(sandbox.dataDir, "sandbox.json")];
    const { status } = spawnSync(path, args, { cwd: installed.integrator, stdio: "inherit" });
    if (status !== 0) throw new Error(`the calls failed under ${path} (${version})`);
  }
}

/** The installed sandbox serves the console with its assets. */
async function checkConsole(baseUrl: string): Promise<void> {
  const page = await (await fetch(`${baseUrl}/`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => path);
  const found = await Promise.all(assets.map(async (path) => (await fetch(`${baseUrl}/${path}`)).ok));
  if (assets.length < 3 || found.includes(false)) throw new Error(`the console is not whole: ${page}`);
}

/** The installed sandbox serves the reference with its guides and assets. */
async function checkReference(baseUrl: string): Promise<void> {
  for (const path of ["/docs", "/docs/guides/signing", "/docs/client", "/docs/assets/page.mjs", "/llms.txt"]) {
    const { status } = await fetch(`${baseUrl}${path}`);
    if (status !== 200) throw new Error(`the reference is not whole: ${path} is answered ${status}`);
  }
}

/** As in a user's terminal: this Node comes first, and nothing of this checkout is found. */
function environmentOf({ path }: FoundNode): NodeJS.ProcessEnv {
  const outside = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => !directory.includes("node_modules"));
  const ours = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_") && !name.startsWith("TITIAN_"));
  return { ...Object.fromEntries(ours), PATH: [dirname(path), ...outside].join(delimiter) };
}

const failed = ({ path, version }: FoundNode, output: string) =>
  `the installed titian under Node ${version} (${path}) printed:\n${output}`;
