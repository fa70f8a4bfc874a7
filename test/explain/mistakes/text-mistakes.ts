/** Mistakes in the string to sign: path, method, token, time, and how they are joined. */
import { type Mistake, mistakes } from "./mistake.ts";

const customerClaims = Buffer.from('{"sub":"key-of-alpha","aud":"titian:b2b2c"}').toString("base64url");
export const customerToken = `eyJhbGciOiJIUzI1NiJ9.${customerClaims}.${"B".repeat(43)}`;

export const textMistakes: readonly Mistake[] = [
  ...mistakes("string to sign", "path", [
    ["path without version", "gateway", "path.withoutVersion", (d) => void (d.signedPath = "/transfer-intrabank")],
    ["path's last part", "postman", "path.suffixOnly", (d) => void (d.signedPath = "transfer-intrabank")],
    ["path with host", "briCallback", "path.fullUrl", (d) => void (d.signedPath = `http://127.0.0.1:8080${d.path}`)],
    [
      "path with https and host",
      "briCallback",
      "path.fullUrl",
      (d) => void (d.signedPath = `https://127.0.0.1:8080${d.path}`),
    ],
    ["host and path", "requests", "path.fullUrl", (d) => void (d.signedPath = `127.0.0.1:8080${d.path}`)],
    ["path with a slash at its end", "laravel", "path.trailingSlash", (d) => void (d.signedPath += "/")],
    ["path without its first slash", "bri", "path.withoutSlash", (d) => void (d.signedPath = d.path.slice(1))],
    ["path with two slashes", "node", "path.doubledSlash", (d) => void (d.signedPath = `/${d.path}`)],
    [
      "base address that ends with a slash",
      "postman",
      "path.doubledSlash",
      (d) => void (d.signedPath = d.path.replace("v1.0/", "v1.0//")),
    ],
    ["path of v1.1", "bri", "path.otherVersion", (d) => void (d.signedPath = d.path.replace("v1.0", "v1.1"))],
    ["path of v1", "neo", "path.otherVersion", (d) => void (d.signedPath = d.path.replace("v1.0", "v1"))],
    ["path of BRI's root", "bri", "path.otherPrefix", (d) => void (d.signedPath = `/snap${d.path}`)],
    ["path of the portal's root", "aspiUtilities", "path.otherPrefix", (d) => void (d.signedPath = `/api${d.path}`)],
    [
      "path without the query that was sent",
      "requests",
      "path.withoutQuery",
      (d) => {
        d.signedPath = d.path;
        d.path += "?lang=id&trace=7";
      },
    ],
    [
      "query in the order of a map",
      "go",
      "path.sortedQuery",
      (d) => {
        d.signedPath = `${d.path}?lang=id&trace=7`;
        d.path += "?trace=7&lang=id";
      },
    ],
    [
      "query decoded",
      "gateway",
      "path.percentDecoded",
      (d) => {
        d.signedPath = `${d.path}?note=a b`;
        d.path += "?note=a%20b";
      },
    ],
    ["path percent-encoded", "dotnet", "path.percentEncoded", (d) => void (d.signedPath = encodeURIComponent(d.path))],
    ["path in capitals", "java", "path.folded", (d) => void (d.signedPath = d.path.toUpperCase())],
    [
      "path of 18 instead of 17",
      "copy",
      "path.otherOperation",
      (d) => void (d.signedPath = "/v1.0/transfer-interbank"),
    ],
    [
      "path of the token call",
      "midtrans",
      "path.otherOperation",
      (d) => void (d.signedPath = "/v1.0/access-token/b2b"),
    ],
  ]),
  ...mistakes("string to sign", "method", [
    ["method in lower case", "node", "method.case", (d) => void (d.signedMethod = "post")],
    ["method with one capital", "dotnet", "method.case", (d) => void (d.signedMethod = "Post")],
    ["method GET, the library's default", "php", "method.other", (d) => void (d.signedMethod = "GET")],
    ["no method", "bca", "method.leftOut", (d) => void (d.join = (parts) => parts.slice(1).join(":"))],
  ]),
  ...mistakes("string to sign", "encoding", [
    ["a line break behind the text", "shell", "text.lineBreak", (d) => void (d.join = (p) => `${p.join(":")}\n`)],
    ["CRLF behind the text", "windows", "text.lineBreak", (d) => void (d.join = (p) => `${p.join(":")}\r\n`)],
    ["bars instead of colons", "aspi", "text.separator", (d) => void (d.join = (parts) => parts.join("|"))],
    ["parts on lines of their own", "doku", "text.separator", (d) => void (d.join = (parts) => parts.join("\n"))],
    ["nothing between the parts", "bca", "text.separator", (d) => void (d.join = (parts) => parts.join(""))],
    ["colons with a space", "python", "text.separator", (d) => void (d.join = (parts) => parts.join(": "))],
    [
      "the whole text in lower case",
      "aspi",
      "text.letterCase",
      (d) => void (d.join = (parts) => parts.join(":").toLowerCase()),
    ],
    [
      "the whole text in capitals",
      "nagari",
      "text.letterCase",
      (d) => void (d.join = (parts) => parts.join(":").toUpperCase()),
    ],
  ]),
  ...mistakes("string to sign", "mode", [
    [
      "time before the hash",
      "bca",
      "text.order",
      (d) =>
        void (d.join = ([method = "", path = "", token = "", hash = "", time = ""]) =>
          [method, path, token, time, hash].join(":")),
    ],
    [
      "client key and time",
      "bri",
      "mode.tokenText",
      (d, { own }) => void (d.join = () => `${own.clientKey}|${d.timestamp}`),
    ],
  ]),
  ...mistakes("token", "token", [
    ["no token", "faspay", "token.leftOut", (d) => void (d.signedToken = undefined)],
    ["Bearer before the token", "finpay", "token.withBearer", (d) => void (d.signedToken = `Bearer ${d.token}`)],
    ["Bearer and no space", "php", "token.withBearer", (d) => void (d.signedToken = `Bearer${d.token}`)],
    ["the customer's token", "aspi", "token.customers", (d) => void (d.signedToken = customerToken)],
    ["nothing between two colons", "laravel", "token.empty", (d) => void (d.signedToken = "")],
    ["a line break behind the token", "shell", "token.lineBreak", (d) => void (d.signedToken += "\n")],
    ["the token in quotation marks", "node", "token.quoted", (d) => void (d.signedToken = `"${d.token}"`)],
    ["the token in lower case", "aspi", "token.changed", (d) => void (d.signedToken = d.token?.toLowerCase())],
    [
      "the client key in the token's place",
      "midtrans",
      "token.clientKey",
      (d, { own }) => void (d.signedToken = own.clientKey),
    ],
    ["undefined", "typescript", "token.word", (d) => void (d.signedToken = "undefined")],
    ["null", "java", "token.word", (d) => void (d.signedToken = "null")],
    ["None in the token's place", "python", "token.word", (d) => void (d.signedToken = "None")],
    ["a promise that is not awaited", "typescript", "token.word", (d) => void (d.signedToken = "[object Promise]")],
    ["the whole response of the token call", "node", "token.word", (d) => void (d.signedToken = "[object Object]")],
    ["the first word of Authorization", "php", "token.word", (d) => void (d.signedToken = "Bearer")],
  ]),
  ...mistakes("time", "timestamp", [
    ["time in UTC", "briCallback", "timestamp.utc", (d) => void (d.signedTime = "2026-11-21T03:00:00Z")],
    ["UTC with milliseconds", "raya", "timestamp.utc", (d) => void (d.signedTime = "2026-11-21T03:00:00.000Z")],
    ["UTC as +00:00", "python", "timestamp.utc", (d) => void (d.signedTime = "2026-11-21T03:00:00+00:00")],
    ["time without zone", "java", "timestamp.withoutZone", (d) => void (d.signedTime = "2026-11-21T10:00:00")],
    [
      "offset without colon",
      "php",
      "timestamp.zoneWithoutColon",
      (d) => void (d.signedTime = "2026-11-21T10:00:00+0700"),
    ],
    [
      "time with milliseconds",
      "bri",
      "timestamp.withFraction",
      (d) => void (d.signedTime = "2026-11-21T10:00:00.000+07:00"),
    ],
    [
      "time without the milliseconds that were sent",
      "snapCore",
      "timestamp.withoutFraction",
      (d) => {
        d.timestamp = "2026-11-21T10:00:00.123+07:00";
      },
    ],
    [
      "UTC's time with Jakarta's offset",
      "postman",
      "timestamp.utcAsJakarta",
      (d) => void (d.signedTime = "2026-11-21T03:00:00+07:00"),
    ],
    ["Jakarta's time with Z", "go", "timestamp.localAsUtc", (d) => void (d.signedTime = "2026-11-21T10:00:00Z")],
    [
      "Jakarta's time, that of UTC sent",
      "snapCore",
      "timestamp.jakarta",
      (d) => void (d.timestamp = "2026-11-21T03:00:00Z"),
    ],
    [
      "the clock read again a second later",
      "php",
      "timestamp.otherTime",
      (d) => void (d.signedTime = "2026-11-21T10:00:01+07:00"),
    ],
    [
      "the time of the token call",
      "midtrans",
      "timestamp.earlier",
      (d) => void (d.signedTime = "2026-11-21T09:52:11+07:00"),
    ],
    [
      "the time of the first try",
      "requests",
      "timestamp.earlier",
      (d) => void (d.signedTime = "2026-11-21T09:59:29+07:00"),
    ],
    ["time with a space", "python", "timestamp.spelling", (d) => void (d.signedTime = "2026-11-21 10:00:00+07:00")],
    ["time of a form", "curl", "timestamp.spelling", (d) => void (d.signedTime = encodeURIComponent(d.timestamp))],
    ["time in seconds", "php", "timestamp.epoch", (d) => void (d.signedTime = "1795230000")],
    ["time in milliseconds", "node", "timestamp.epoch", (d) => void (d.signedTime = "1795230000000")],
    ["no time", "bca", "timestamp.leftOut", (d) => void (d.join = (parts) => parts.slice(0, -1).join(":"))],
    ["an empty time", "laravel", "timestamp.leftOut", (d) => void (d.signedTime = "")],
  ]),
];
