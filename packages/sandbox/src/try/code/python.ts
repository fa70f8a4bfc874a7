/** The call in Python, with the package `cryptography` for RSA. */
import { type CodeInput, headersOf, lines, needsToken, quoted, signedParts, type Words } from "./code-input.ts";

export function writePython(input: CodeInput): string {
  const { isToken, signing } = input;
  const withToken = needsToken(input);
  return lines(
    "# pip install cryptography",
    "import base64, hashlib, hmac, json, urllib.error, urllib.request",
    "from datetime import datetime, timezone",
    "from cryptography.hazmat.primitives import hashes, serialization",
    "from cryptography.hazmat.primitives.asymmetric import padding",
    "",
    `BASE = ${quoted(input.baseUrl)}`,
    `PATH = ${quoted(input.path)}`,
    (isToken || withToken) && `CLIENT_KEY = ${quoted(input.clientKey)}`,
    withToken && `CLIENT_SECRET = ${quoted(input.clientSecret)}`,
    `PRIVATE_KEY = """${input.privateKey}"""`,
    `BODY = ${quoted(input.body)}.encode()`,
    "",
    helpers,
    withToken && hmacHelper,
    withToken && tokenCall(input.tokenPath),
    "",
    "time = now()",
    !isToken && "body_hash = hashlib.sha256(BODY).hexdigest()",
    isToken
      ? 'signature = rsa(f"{CLIENT_KEY}|{time}")'
      : `signature = ${signing === "symmetric" ? "sign" : "rsa"}(":".join(["POST", PATH, ${signedParts(input, "token", "body_hash", "time")}]))`,
    "print(post(PATH, BODY, {",
    ...headersOf(input, words).map(([name, value]) => `    ${quoted(name)}: ${value},`),
    "}))",
  );
}

const helpers = `key = serialization.load_pem_private_key(PRIVATE_KEY.encode(), password=None)


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def rsa(text):
    return base64.b64encode(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()


def post(path, body, headers):
    request = urllib.request.Request(BASE + path, body, {"Content-Type": "application/json", **headers}, method="POST")
    try:
        return urllib.request.urlopen(request).read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
`;

const hmacHelper = `
def sign(text):
    return base64.b64encode(hmac.new(CLIENT_SECRET.encode(), text.encode(), hashlib.sha512).digest()).decode()
`;

const tokenCall = (path: string) => `
time = now()
answer = post(${quoted(path)}, b'{"grantType":"client_credentials"}', {
    "X-TIMESTAMP": time,
    "X-CLIENT-KEY": CLIENT_KEY,
    "X-SIGNATURE": rsa(f"{CLIENT_KEY}|{time}"),
})
token = json.loads(answer)["accessToken"]`;

const words: Words = {
  time: "time",
  signature: "signature",
  clientKey: "CLIENT_KEY",
  bearer: 'f"Bearer {token}"',
  text: quoted,
};
