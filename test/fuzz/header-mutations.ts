/** Spoils one header of a signed request, or its method or path. */
import type { Draft } from "./draft.ts";
import type { Random } from "./random.ts";

const values: readonly string[] = [
  [
    "",
    " ",
    "0",
    "null",
    "undefined",
    "x",
    "=",
    ",",
    ";",
    "a, b",
    '"',
    "\t",
    "é",
    "\u00ff\u00fe",
    "%00",
    "()",
    "1".repeat(37),
  ],
  ["Bearer", "Bearer ", "bearer x", "Basic YTpi", "Bearer a.b.c", "Bearer eyJhbGciOiJub25lIn0.e30."],
  ["application/json; charset=utf-8", "application/xml", "text/plain", "multipart/form-data", "application/jsonp"],
  ["2020-01-01T00:00:00+07:00", "2126-01-01T00:00:00Z", "2026-11-21T10:00:00", "2026-02-30T00:00:00Z", "1763694000"],
  ["AAAA", "A".repeat(88), "AAAA====", "-".repeat(88), "../..", "$(id)", "alpha", "beta", "gamma", "nobody"],
].flat();

/** Bytes that may not stand in a header: the server's parser rejects the whole request. */
const forbidden: readonly string[] = ["\u0000", "a\u0000b", "\u0001", "a\rb", "a\nb", "\u007f", "a\r\nX-Y: z"];
const unusual: readonly (readonly [string, string])[] = [
  ["Content-Encoding", "gzip"],
  ["Content-Encoding", "identity"],
  ["Content-Encoding", "br, gzip"],
  ["Content-Encoding", ""],
  ["Expect", "100-continue"],
  ["Expect", "200-ok"],
  ["Expect", ""],
  ["Authorization-Customer", "Bearer x"],
  ["Authorization-Customer", ""],
  ["Upgrade", "websocket"],
  ["Connection", "upgrade\r\nUpgrade: websocket"],
  ["Connection", "upgrade"],
  ["Connection", "close"],
  ["X-Forwarded-For", "1.2.3.4, junk, ::1"],
  ["Cookie", "a=b; ".repeat(50)],
  ["__proto__", "x"],
  ["constructor", "x"],
  ["Trailer", "X-SIGNATURE"],
  ["TE", "trailers"],
  ["Range", "bytes=0-1"],
  ["Accept", "text/html"],
];

export function spoilHeader(random: Random, { headers }: Draft): void {
  const index = random.int(headers.length);
  const header = headers[index];
  if (header === undefined) return;
  const [name, value] = header;
  switch (random.int(10)) {
    case 0:
    case 1:
      headers.splice(index, 1);
      return;
    case 2:
      headers.push([name, random.chance(0.5) ? value : random.pick(values)]);
      return;
    case 3:
      header[1] = random.pick(forbidden);
      return;
    case 4:
      header[1] = random.pick(["x", "é", "9", " "]).repeat(random.pick([36, 129, 1_000, 9_000, 20_000]));
      return;
    case 5:
      headers.push([...random.pick(unusual)]);
      return;
    case 6:
      header[1] = changeCharacter(random, value);
      return;
    case 7:
      header[0] = random.pick([
        name.toLowerCase(),
        ` ${name}`,
        `${name} `,
        `${name}\u0000`,
        "",
        "é",
        name.replace("-", "_"),
      ]);
      return;
    default:
      header[1] = random.pick(values);
  }
}

function changeCharacter(random: Random, value: string): string {
  const at = random.int(value.length);
  return value.slice(0, at) + random.pick(["A", "0", "/", "é", " ", ""]) + value.slice(at + 1);
}

/** The methods that a parser of HTTP knows, some it does not, and no method at all. */
const methods: readonly string[] = [
  ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "QUERY", "CONNECT"],
  ["FOO", "post", "PoSt", "", "POST POST", "é"],
].flat();

export function spoilMethod(random: Random, draft: Draft): void {
  if (random.chance(0.85)) draft.method = random.pick(methods);
  else draft.protocol = random.pick(["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", "", "HTTP/1.1 x"]);
}

/** Done before signing: where a path is wrong, the signature is right for it. */
export function spoilTarget(random: Random, target: string): string {
  const [, version = "", ...rest] = target.split("/");
  return random.pick(
    [
      ["", "/", "*", "//", "/v1.0", "/v1.0/", "/docs/../v1.0", "/health", "/openapi.json/x", "x", "?", "#"],
      `${target}/`,
      `${target}?`,
      `${target}?a=1&b=${"x".repeat(random.pick([1, 2_000]))}`,
      `/${target}`,
      `/v2.0/${rest.join("/")}`,
      `/${version}/${rest.join("/").toUpperCase()}`,
      `/${version}/%2e%2e/${version}/${rest.join("/")}`,
      `/${version}/${encodeURIComponent(rest.join("/"))}`,
      `${target}%00`,
      `${target}%`,
      `${target}%zz`,
      `${target}\u00e9`,
      `${target};a=b`,
      `${target}#x`,
      `http://example.com${target}`,
      `/${version}/${"a/".repeat(random.pick([10, 3_000]))}`,
      `/${version}/transfer-rtgs/notify`,
      `/${version}/__proto__`,
      `/${version}/constructor`,
    ].flat(),
  );
}
