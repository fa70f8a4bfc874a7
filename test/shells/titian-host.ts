/**
 * Stand-in for `titian` in the short run: a command is carried out once, for the first shell that gives it, and the
 * other shells, which must give the same arguments, are shown what it printed. Starting it in each would take minutes.
 */
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type RanAsTyped, runCli } from "../support/cli/run-cli.ts";

export interface TitianHost extends AsyncDisposable {
  readonly socket: string;
}

export interface HostOptions {
  readonly directory: string;
  /** Output of the same commands in another shell, in their order; absent: commands are carried out. */
  readonly replayed?: readonly Recorded[];
  readonly recorded: Recorded[];
  /** Numbers that differ from one shell to the next, by what the page calls them. */
  readonly filled: ReadonlyMap<string, string>;
  /** Programs that only record their arguments. */
  readonly standIns?: boolean;
}

export interface Recorded {
  readonly line: string;
  readonly ran: RanAsTyped;
}

const nothing: RanAsTyped = { exitCode: 0, stdout: "", stderr: "" };

export async function startTitianHost(options: HostOptions): Promise<TitianHost> {
  const socket = join(options.directory, "titian.sock");
  let count = 0;
  const answer = async (form: URLSearchParams): Promise<string> => {
    count += 1;
    const ran = await answerOne(options, form);
    const file = join(options.directory, `answer-${count}`);
    writeFileSync(`${file}.out`, ran.stdout);
    writeFileSync(`${file}.err`, ran.stderr);
    return `${file} ${ran.exitCode ?? 1}`;
  };
  const server: Server = createServer((request, response) => {
    void text(request)
      .then((body) => answer(new URLSearchParams(body)))
      .then(
        (found) => response.end(found),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  server.listen(socket);
  await once(server, "listening");
  return {
    socket,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answerOne(options: HostOptions, form: URLSearchParams): Promise<RanAsTyped> {
  const args = form.getAll("arg");
  const cwd = form.get("cwd") ?? "";
  const settings = settingsOf(form);
  let line = JSON.stringify([form.get("name"), ...args]).replaceAll(cwd, "<checkout>");
  line = line.replaceAll(settings.env["HOME"] ?? cwd, "<home>").replaceAll(/\b[0-9a-f]{16}\b/g, "<new number>");
  line = line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, "<time>");
  for (const [value, name] of options.filled) line = line.replaceAll(value, `<${name}>`);
  const known = options.replayed?.[options.recorded.length];
  if (options.replayed !== undefined && known?.line !== line) {
    options.recorded.push({ line, ran: nothing });
    return {
      exitCode: 99,
      stdout: "",
      stderr: `another shell gave ${known?.line ?? "no further command"}, this one ${line}\n`,
    };
  }
  const ran = known?.ran ?? (options.standIns ? nothing : await runCli(args, { cwd, ...settings }));
  options.recorded.push({ line, ran });
  return ran;
}

/** Settings that the command reads of the shell's environment, and its input. */
function settingsOf(form: URLSearchParams) {
  const all = (form.get("env") ?? "").split("\n").map((entry) => /^(\w+)=(.*)$/s.exec(entry) ?? []);
  const settings = all.filter(([, name = ""]) => /^(?:TITIAN_|DATABASE_URL$|HOME$)/.test(name));
  const env = Object.fromEntries(settings.map(([, name = "", value = ""]) => [name, value]));
  return { env, input: form.get("input") ?? "y\n" };
}
