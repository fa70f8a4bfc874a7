/** The words of a command line of a POSIX shell, without its variables. */
import { usageError } from "../cli-error.ts";
import { visible } from "../tables/plain.ts";

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };
/** A piece of a word: quoted in three ways, escaped, or plain. */
const piece = /\$'((?:[^'\\]|\\[^])*)'|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\(\r?\n|[^])|([^\s'"\\]+)/y;
const space = /\s+/y;

/** @throws CliError for a quotation mark that is not closed, and for a variable. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    space.lastIndex = at;
    const gap = space.exec(text)?.[0] ?? "";
    if (gap !== "") {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += gap.length;
      continue;
    }
    piece.lastIndex = at;
    const found = piece.exec(text);
    if (found === null)
      throw usageError(`The command has a quotation mark that is not closed: ${visible(text.slice(at, at + 40))}`);
    const read = readPiece(found);
    if (read !== undefined) word = (word ?? "") + read;
    at += found[0].length;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Undefined: an escaped line break, which is nothing. */
function readPiece([, ansi, single, double, escaped, plain]: RegExpExecArray): string | undefined {
  if (ansi !== undefined) return ansi.replaceAll(/\\(u[\da-fA-F]{4}|[^])/g, (_, name: string) => unescape(name));
  if (single !== undefined) return single;
  if (escaped !== undefined) return /^\r?\n$/.test(escaped) ? undefined : escaped;
  const text =
    double === undefined
      ? (plain ?? "")
      : double.replaceAll(/\\(\r?\n|[$`"\\])/g, (_, name: string) => (/^\s/.test(name) ? "" : name));
  const variable = /(?<!\\)\$[A-Za-z_{(]\w*/.exec(double ?? plain ?? "");
  if (variable !== null)
    throw usageError(`The command has the variable ${variable[0]}: save it with the value that was sent.`);
  return text;
}

function unescape(name: string): string {
  return name.length > 1 ? String.fromCharCode(Number.parseInt(name.slice(1), 16)) : (escapes[name] ?? name);
}
