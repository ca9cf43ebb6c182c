import hashlib
import hmac
import time

OLDEST_SECONDS = 300


def is_genuine(secret: str, header: str, body: bytes, now_seconds: float | None = None) -> bool:
    """secret: whsec_ included. header: X-Service-Signature. body: the bytes of the request, exactly as they came."""
    parts = [part.partition("=")[::2] for part in header.split(",")]
    sent = next((value for name, value in parts if name == "t"), "")
    now = time.time() if now_seconds is None else now_seconds
    if not (sent.isascii() and sent.isdigit()) or abs(now - int(sent)) > OLDEST_SECONDS:
        return False
    expected = hmac.new(secret.encode(), f"{sent}.".encode() + body, hashlib.sha256).hexdigest()
    return any(
        name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in parts
    )
