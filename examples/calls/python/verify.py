# python3 verify.py <public-key.pem> <partner-id> <path> <timestamp> <signature> < body
# Needs the package cryptography: the standard library has no RSA. Debian, Ubuntu: sudo apt install python3-cryptography;
# elsewhere: python3 -m venv .venv && .venv/bin/pip install cryptography, and run it with .venv/bin/python3.
import base64
import hashlib
import json
import sys
from datetime import datetime, timedelta, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key


# In Flask: data is request.get_data(); in Django request.body; in FastAPI await request.body(). Path with the query.
def verify_signature(key, path: str, timestamp: str, signature: str, data: bytes) -> bool:
    text = f"POST:{path}:{hashlib.sha256(data).hexdigest()}:{timestamp}"
    try:
        key.verify(base64.b64decode(signature, validate=True), text.encode(), padding.PKCS1v15(), SHA256())
        return True
    except (InvalidSignature, ValueError):
        return False


# X-TIMESTAMP is at most 5 minutes from now.
def is_recent(timestamp: str, now: datetime) -> bool:
    try:
        at = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    except ValueError:
        return False
    return at.tzinfo is not None and abs(now - at) <= timedelta(minutes=5)


# The partner that the signed body names: the key of mode 2 signs for all partners, and X-PARTNER-ID is not signed.
def is_for_us(body: dict, partner_id: str) -> bool:
    info = body.get("additionalInfo")
    return isinstance(info, dict) and info.get("partnerId") == partner_id


# Service, number and status: the primary key of what you have handled. Where it is known, answer success.
def event_of(path: str, body: dict, data: bytes) -> tuple[str, str, str]:
    def first(of: dict, *names: str) -> str:
        texts = (of.get(name) for name in names)
        return next((text for text in texts if isinstance(text, str) and text), "")

    def line(item: dict) -> str:
        number = first(item, "partnerReferenceNo", "originalPartnerReferenceNo", "originalReferenceNo")
        return f"{number} {item['responseCode']}"

    service = "76" if "/transfer-rtgs/" in path else "75" if "/transfer-skn/" in path else "21"
    if service == "21":
        status = hashlib.sha256("\n".join(map(line, body["bulkObject"])).encode()).hexdigest()
    else:
        status = body["latestTransactionStatus"]
    ours = first(body, "originalPartnerReferenceNo", "partnerBulkId")
    fallback = f"partner:{ours}" if ours else f"sha256:{hashlib.sha256(data).hexdigest()}"
    return service, first(body, "originalReferenceNo", "bulkId") or fallback, status


def check(key, partner_id: str, path: str, timestamp: str, signature: str, data: bytes) -> str:
    if not verify_signature(key, path, timestamp, signature, data):
        return "rejected: signature"
    if not is_recent(timestamp, datetime.now(timezone.utc)):
        return "rejected: not recent"
    body = json.loads(data)
    if not is_for_us(body, partner_id):
        return "rejected: not for this partner"
    return "verified: " + " ".join(event_of(path, body, data))


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit("Usage: verify.py <public-key.pem> <partner-id> <path> <timestamp> <signature> < body")
    file, *arguments = sys.argv[1:]
    with open(file, "rb") as pem:
        public_key = load_pem_public_key(pem.read())
    print(check(public_key, *arguments, sys.stdin.buffer.read()))
