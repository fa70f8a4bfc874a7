/** The call in Python, with the package `cryptography` for RSA. */
import {
  type CodeInput,
  headersOf,
  lines,
  marks,
  needsToken,
  noSandbox,
  quoted,
  signedParts,
  textsOf,
  whyAgain,
  type Words,
} from "./code-input.ts";

export function writePython(input: CodeInput): string {
  const { isToken, signing, repeats } = input;
  const withToken = needsToken(input);
  return lines(
    "# Debian, Ubuntu: sudo apt install python3-cryptography",
    "# elsewhere: python3 -m venv .venv && .venv/bin/pip install cryptography, and run it with .venv/bin/python3",
    "import base64, hashlib, hmac, http.client, json, os, sys, time, urllib.error, urllib.request",
    "from datetime import datetime, timezone",
    "from cryptography.hazmat.primitives import hashes, serialization",
    "from cryptography.hazmat.primitives.asymmetric import padding",
    "",
    input.values === "texts" ? texts(input) : sandboxFile,
    "",
    helpers,
    repeats ? askAgain : askOnce,
    fail,
    withToken && hmacHelper,
    withToken && tokenCall,
    "",
    "",
    "def call():",
    "    timestamp = now()",
    !isToken && "    body_hash = hashlib.sha256(BODY).hexdigest()",
    isToken
      ? '    signature = rsa(f"{CLIENT_KEY}|{timestamp}")'
      : `    signature = ${signing === "symmetric" ? "sign" : "rsa"}(":".join(["POST", PATH, ${signedParts(input, "token", "body_hash", "timestamp")}]))`,
    "    return post(PATH, BODY, {",
    ...headersOf(input, wordsOf(input)).map(([name, value]) => `        ${quoted(name)}: ${value},`),
    "    })",
    "",
    "",
    "answer = ask(call)",
    `if '${marks.success}' not in answer:`,
    "    fail(PATH, answer)",
    "print(answer)",
  );
}

function texts(input: CodeInput): string {
  const withToken = needsToken(input);
  return lines(
    `BASE = ${quoted(input.baseUrl)}`,
    `PATH = ${quoted(input.path)}`,
    withToken && `TOKEN_PATH = ${quoted(input.tokenPath)}`,
    (input.isToken || withToken) && `CLIENT_KEY = ${quoted(input.clientKey)}`,
    withToken && `CLIENT_SECRET = ${quoted(input.clientSecret)}`,
    `PRIVATE_KEY = """${input.privateKey}"""`,
    `BODY = ${quoted(input.body)}.encode()`,
  ).trimEnd();
}

const sandboxFile = `path = os.path.join(os.environ.get("TITIAN_DATA_DIR", ".titian"), "sandbox.json")
if not os.access(path, os.R_OK):
    sys.exit(f"No {path}${noSandbox}")
with open(path) as file:
    sandbox = json.load(file)
partner = sandbox["partners"][0]
root = sandbox["pathPrefix"] + "/" + sandbox["version"]

BASE = sandbox["baseUrl"]
PATH = root + "/transfer-intrabank"
TOKEN_PATH = root + "/access-token/b2b"
CLIENT_KEY = partner["clientKey"]
CLIENT_SECRET = partner["clientSecret"]
PRIVATE_KEY = partner["privateKey"]
PARTNER_ID = partner["partnerId"]
CHANNEL_ID = partner["channelId"]
NUMBER = str(time.time_ns())
BODY = json.dumps({
    "partnerReferenceNo": NUMBER,
    "amount": {"value": "250000.00", "currency": "IDR"},
    "sourceAccountNo": partner["sourceAccounts"][0],
    "beneficiaryAccountNo": partner["sourceAccounts"][1],
    "transactionDate": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
}).encode()`;

const helpers = `key = serialization.load_pem_private_key(PRIVATE_KEY.encode(), password=None)


def now():
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def rsa(text):
    return base64.b64encode(key.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()


# Empty without an answer.
def post(path, body, headers):
    request = urllib.request.Request(BASE + path, body, {"Content-Type": "application/json", **headers}, method="POST")
    try:
        return urllib.request.urlopen(request, timeout=30).read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except (OSError, http.client.HTTPException):
        return ""`;

const hmacHelper = `

def sign(text):
    return base64.b64encode(hmac.new(CLIENT_SECRET.encode(), text.encode(), hashlib.sha512).digest()).decode()`;

const tokenCall = `

def get_token():
    timestamp = now()
    return post(TOKEN_PATH, b'{"grantType":"client_credentials"}', {
        "X-TIMESTAMP": timestamp,
        "X-CLIENT-KEY": CLIENT_KEY,
        "X-SIGNATURE": rsa(f"{CLIENT_KEY}|{timestamp}"),
    })


answer = ask(get_token)
if '${marks.token}' not in answer:
    fail(TOKEN_PATH, answer)
token = json.loads(answer)["accessToken"]`;

const askOnce = `

def ask(send):
    return send()`;

const askAgain = `

${whyAgain.map((line) => `# ${line}`).join("\n")}
def ask(send):
    for wait in (1, 2, 4, 8, None):
        answer = send()
        is_lost = answer == "" or answer.startswith('${marks.lost}')
        if not is_lost or wait is None:
            return answer
        time.sleep(wait)`;

const fail = `

def fail(path, answer):
    if answer == "":
        sys.exit(f"No answer from {BASE}{path}")
    print(answer)
    sys.exit(1)`;

function wordsOf(input: CodeInput): Words {
  return {
    time: "timestamp",
    signature: "signature",
    clientKey: "CLIENT_KEY",
    bearer: 'f"Bearer {token}"',
    ...textsOf(input, quoted),
    ...(input.values === "sandboxFile" && {
      partnerId: "PARTNER_ID",
      externalId: "NUMBER",
      channelId: "CHANNEL_ID",
    }),
  };
}
