# python3 verify.py <public-key.pem> <path> <timestamp> <signature> < body
# Needs the package cryptography: the standard library has no RSA.
import base64
import hashlib
import sys
from datetime import datetime, timedelta, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key


# In Flask: body is request.get_data(); in Django request.body; in FastAPI await request.body(). Path with the query.
def verify_signature(key, path: str, timestamp: str, signature: str, body: bytes) -> bool:
    text = f"POST:{path}:{hashlib.sha256(body).hexdigest()}:{timestamp}"
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


if __name__ == "__main__":
    file, path, timestamp, signature = sys.argv[1:5]
    with open(file, "rb") as pem:
        key = load_pem_public_key(pem.read())
    verifies = verify_signature(key, path, timestamp, signature, sys.stdin.buffer.read())
    recent = "" if is_recent(timestamp, datetime.now(timezone.utc)) else ", not recent"
    print(("verified" if verifies else "rejected") + recent)
