/** A curl command line, as a shell and curl would read it. */
import { usageError } from "../cli-error.ts";
import { readNamedFile } from "./named-file.ts";
import { type SavedCall, splitUrl, withHost } from "./saved-call.ts";
import { splitWords } from "./shell-words.ts";

/** Options with a value that does not change the request. */
const valueOptions = new Set(
  "-o --output -m --max-time --connect-timeout -A --user-agent -e --referer --cacert --capath -E --cert --key -w --write-out -x --proxy --retry --resolve --connect-to --interface -b --cookie -c --cookie-jar --limit-rate -D --dump-header --ciphers --tls-max".split(
    " ",
  ),
);
const dataOptions = new Set(["-d", "--data", "--data-ascii", "--data-raw", "--data-binary", "--json"]);
/** Options whose files decide what is sent, in ways that are not read here. */
const fileOptions = new Set(["-K", "--config", "-F", "--form", "-T", "--upload-file", "--variable"]);
const shortWithValue = /^-[XHdombAeEwxcDKuFT]./;

interface Command {
  url?: string;
  method?: string;
  readonly headers: string[];
  readonly data: Buffer[];
}

/** `directory`: where files that the command names are; undefined: nowhere. */
export function readCurl(text: string, directory: string | undefined): SavedCall {
  const [, ...words] = splitWords(text);
  const command: Command = { headers: [], data: [] };
  for (let at = 0; at < words.length; at += 1) {
    const { name, value, isOwnWord } = optionAt(words, at);
    if (apply(command, name, value, directory) && !isOwnWord) at += 1;
  }
  const { url, method, headers, data } = command;
  if (url === undefined) throw usageError("The curl command has no URL.");
  const { target, host } = splitUrl(/^(?:[a-z][a-z\d+.-]*:\/\/|\/)/i.test(url) ? url : `http://${url}`);
  const rawHeaders = headers.flatMap((header) => {
    const colon = header.search(/[:;]/);
    return colon < 1 ? [] : [header.slice(0, colon).trim(), header.slice(colon + 1).trim()];
  });
  return {
    method: method ?? (data.length > 0 ? "POST" : "GET"),
    target,
    rawHeaders: withHost(rawHeaders, host),
    body:
      data.length === 0
        ? new Uint8Array()
        : Buffer.concat(data.flatMap((part, i) => (i > 0 ? [Buffer.from("&"), part] : [part]))),
    remarks: [],
  };
}

/** `-XPOST`, `-X POST`, `--request=POST` are one option each. */
function optionAt(words: readonly string[], at: number) {
  const word = words[at] ?? "";
  if (shortWithValue.test(word)) return { name: word.slice(0, 2), value: word.slice(2), isOwnWord: true };
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  if (equals > 0) return { name: word.slice(0, equals), value: word.slice(equals + 1), isOwnWord: true };
  return { name: word, value: words[at + 1] ?? "", isOwnWord: false };
}

/** Applies an option; true when it has a value. */
function apply(command: Command, name: string, value: string, directory: string | undefined): boolean {
  if (fileOptions.has(name)) {
    throw usageError(`The curl command has ${name}, which is not read: save it with --data and --header instead.`);
  }
  if (name === "-X" || name === "--request") command.method = value;
  else if (name === "-H" || name === "--header") command.headers.push(...readHeaders(value, directory));
  else if (name === "--data-urlencode") command.data.push(readEncoded(value, directory));
  else if (name === "--url") command.url = value;
  else if (dataOptions.has(name)) {
    command.data.push(readData(name, value, directory));
    if (name === "--json") command.headers.push("Content-Type: application/json");
  } else if (name === "-u" || name === "--user") return true;
  else if (valueOptions.has(name)) return true;
  else {
    if (!name.startsWith("-")) command.url = name;
    return false;
  }
  return true;
}

/** `@file` has a header in each line. */
function readHeaders(value: string, directory: string | undefined): readonly string[] {
  if (!value.startsWith("@")) return [value];
  const text = readNamedFile(value.slice(1), directory, "A file of headers").toString("latin1");
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** `@file` is a file's content, of which `--data` drops the line breaks. */
function readData(name: string, value: string, directory: string | undefined): Buffer {
  if (!value.startsWith("@") || name === "--data-raw") return Buffer.from(value);
  const bytes = readNamedFile(value.slice(1), directory, "The body");
  const keeps = name === "--data-binary" || name === "--json";
  return keeps ? bytes : Buffer.from(bytes.toString("latin1").replaceAll(/[\r\n\0]/g, ""), "latin1");
}

/** `content`, `=content`, `name=content`, `@file`, `name@file`. */
function readEncoded(value: string, directory: string | undefined): Buffer {
  const [, name = "", mark, rest = ""] = /^([^=@]*)([=@])([^]*)$/.exec(value) ?? [];
  const start = name === "" ? "" : `${name}=`;
  const content = mark === "@" ? readNamedFile(rest, directory, "The body") : Buffer.from(mark === "=" ? rest : value);
  return Buffer.from(start + percentEncoded(content));
}

/** Encodes every byte but letters, digits and `-._~`. */
function percentEncoded(bytes: Buffer): string {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
