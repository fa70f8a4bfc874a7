/** Texts that receivers hash instead of the bytes they got: their framework has parsed the body, and their library writes it anew. */
import { type Fields, isObject } from "@titian/contract";

export interface BodyMistake {
  readonly name: string;
  readonly source: string;
  /** Completes "The receiver". */
  readonly does: string;
  /** Completes "Penerima". */
  readonly doesInIndonesian: string;
  /** `fields`: those of the notification. */
  readonly write: (value: unknown, fields: Fields | undefined) => string;
}

const does = (how: string) => `hashes the body parsed and written anew, ${how}`;
const doesInIndonesian = (how: string) => `membuat hash dari body yang di-parse lalu ditulis ulang, ${how}`;
const plain = (value: unknown) => JSON.stringify(value);

export const bodyMistakes: readonly BodyMistake[] = [
  {
    name: "escapedSlashesAndUnicode",
    source: "https://www.php.net/manual/en/function.json-encode.php",
    does: does("as PHP's json_encode does: \\/ and \\u"),
    doesInIndonesian: doesInIndonesian("seperti json_encode PHP: \\/ dan \\u"),
    write: (value) => escapeSlashes(escape(plain(value), beyondAscii)),
  },
  {
    name: "escapedSlashes",
    source: "https://www.php.net/manual/en/json.constants.php",
    does: does("as PHP's json_encode does with JSON_UNESCAPED_UNICODE alone: \\/"),
    doesInIndonesian: doesInIndonesian("seperti json_encode PHP dengan JSON_UNESCAPED_UNICODE saja: \\/"),
    write: (value) => escapeSlashes(plain(value)),
  },
  {
    name: "escapedUnicode",
    source: "https://docs.python.org/3/library/json.html#json.dumps",
    does: does("with \\u for what is not ASCII"),
    doesInIndonesian: doesInIndonesian("dengan \\u untuk yang bukan ASCII"),
    write: (value) => escape(plain(value), beyondAscii),
  },
  {
    name: "spaced",
    source: "https://docs.python.org/3/library/json.html#json.dumps",
    does: does("as Python's json.dumps does: a space behind colons and commas, and \\u"),
    doesInIndonesian: doesInIndonesian("seperti json.dumps Python: spasi setelah titik dua dan koma, dan \\u"),
    write: (value) => escape(spaced(value), beyondAscii),
  },
  {
    name: "spacedUnicode",
    source: "https://docs.python.org/3/library/json.html#json.dumps",
    does: does("as Python's json.dumps does with ensure_ascii=False: a space behind colons and commas"),
    doesInIndonesian: doesInIndonesian(
      "seperti json.dumps Python dengan ensure_ascii=False: spasi setelah titik dua dan koma",
    ),
    write: spaced,
  },
  {
    name: "escapedHtml",
    source: "https://pkg.go.dev/encoding/json#Encoder.SetEscapeHTML",
    does: does("as Go's encoding/json does: \\u for <, > and &"),
    doesInIndonesian: doesInIndonesian("seperti encoding/json Go: \\u untuk <, > dan &"),
    write: (value) => escape(plain(value), /[<>&\u2028\u2029]/g),
  },
  {
    name: "escapedHtmlOfGson",
    source: "https://github.com/google/gson/blob/main/UserGuide.md",
    does: does("as Gson does: \\u for <, >, &, = and '"),
    doesInIndonesian: doesInIndonesian("seperti Gson: \\u untuk <, >, &, = dan '"),
    write: (value) => escape(plain(value), /[<>&='\u2028\u2029]/g),
  },
  {
    name: "standardOrder",
    source: "https://github.com/FasterXML/jackson-annotations/wiki/Jackson-Annotations",
    does: does("with its members in the order of a class, the standard's"),
    doesInIndonesian: doesInIndonesian("dengan member menurut urutan sebuah class, yaitu urutan standar"),
    write: (value, fields) => plain(inOrderOf(value, fields)),
  },
  {
    name: "indentedByTwo",
    source: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/JSON/stringify",
    does: does("indented by two spaces"),
    doesInIndonesian: doesInIndonesian("dengan indentasi dua spasi"),
    write: (value) => JSON.stringify(value, null, 2),
  },
  {
    name: "indentedByFour",
    source: "https://www.php.net/manual/en/json.constants.php",
    does: does("indented by four spaces"),
    doesInIndonesian: doesInIndonesian("dengan indentasi empat spasi"),
    write: (value) => JSON.stringify(value, null, 4),
  },
  {
    name: "stringTwice",
    source: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/JSON/stringify",
    does: "hashes the body written as a JSON text, in quotation marks",
    doesInIndonesian: "membuat hash dari body yang ditulis sebagai teks JSON, dalam tanda kutip",
    write: (value) => plain(plain(value)),
  },
  {
    name: "lineBreakBehindBody",
    source: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/echo.html",
    does: "hashes the body with a line break behind it",
    doesInIndonesian: "membuat hash dari body dengan baris baru di belakangnya",
    write: (value) => `${plain(value)}\n`,
  },
];

const beyondAscii = /[\u007f-\uffff]/g;

function escape(json: string, characters: RegExp): string {
  return json.replaceAll(characters, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function escapeSlashes(json: string): string {
  return json.replaceAll("/", "\\/");
}

/** No text in JSON has a line break in it. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/,\n */g, ", ").replaceAll(/\n */g, "");
}

/** Members that the fields do not name stay behind those that they do. */
function inOrderOf(value: unknown, fields: Fields = {}): unknown {
  if (!isObject(value)) return value;
  const names = Object.keys(value);
  const known = Object.keys(fields).filter((name) => value[name] !== undefined);
  const ordered = [...known, ...names.filter((name) => !known.includes(name))];
  return Object.fromEntries(ordered.map((name) => [name, inOrderOfType(value[name], fields[name]?.type)]));
}

function inOrderOfType(value: unknown, type: Fields[string]["type"] | undefined): unknown {
  if (type?.kind === "money" && isObject(value)) return { value: value["value"], currency: value["currency"] };
  if (type?.kind === "list" && Array.isArray(value)) return value.map((entry) => inOrderOf(entry, type.entry));
  return value;
}
