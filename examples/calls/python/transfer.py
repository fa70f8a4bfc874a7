# Debian, Ubuntu: sudo apt install python3-cryptography
# elsewhere: python3 -m venv .venv && .venv/bin/pip install cryptography, and run it with .venv/bin/python3
import base64, hashlib, hmac, http.client, json, os, sys, time, urllib.error, urllib.request
from datetime import datetime, timezone
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

path = os.path.join(os.environ.get("TITIAN_DATA_DIR", ".titian"), "sandbox.json")
if not os.access(path, os.R_OK):
    sys.exit(f"No {path} here: run it in the repository's root, with the sandbox started (npm start)")
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
}).encode()

key = serialization.load_pem_private_key(PRIVATE_KEY.encode(), password=None)


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
        return ""


# Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.
# It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.
def ask(send):
    for wait in (1, 2, 4, 8, None):
        answer = send()
        is_lost = answer == "" or answer.startswith('{"responseCode":"5')
        if not is_lost or wait is None:
            return answer
        time.sleep(wait)


def fail(path, answer):
    if answer == "":
        sys.exit(f"No answer from {BASE}{path}")
    print(answer)
    sys.exit(1)


def sign(text):
    return base64.b64encode(hmac.new(CLIENT_SECRET.encode(), text.encode(), hashlib.sha512).digest()).decode()


def get_token():
    timestamp = now()
    return post(TOKEN_PATH, b'{"grantType":"client_credentials"}', {
        "X-TIMESTAMP": timestamp,
        "X-CLIENT-KEY": CLIENT_KEY,
        "X-SIGNATURE": rsa(f"{CLIENT_KEY}|{timestamp}"),
    })


answer = ask(get_token)
if '"accessToken":"' not in answer:
    fail(TOKEN_PATH, answer)
token = json.loads(answer)["accessToken"]


def call():
    timestamp = now()
    body_hash = hashlib.sha256(BODY).hexdigest()
    signature = sign(":".join(["POST", PATH, token, body_hash, timestamp]))
    return post(PATH, BODY, {
        "X-TIMESTAMP": timestamp,
        "X-SIGNATURE": signature,
        "Authorization": f"Bearer {token}",
        "X-PARTNER-ID": PARTNER_ID,
        "X-EXTERNAL-ID": NUMBER,
        "CHANNEL-ID": CHANNEL_ID,
    })


answer = ask(call)
if '"responseCode":"2' not in answer:
    fail(PATH, answer)
print(answer)
