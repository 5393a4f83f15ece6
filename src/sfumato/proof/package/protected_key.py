"""A private key behind a passphrase: PKCS #8, encrypted with AES-256 under a key that scrypt makes of the passphrase.

`openssl pkey -in FILE` opens it as well. The library that signs writes such files with 2,048 rounds of PBKDF2, which
tries a million passphrases in seconds; so the few bytes around the encrypted key are written here, and read by it.

References: RFC 5958 (EncryptedPrivateKeyInfo), RFC 8018 (PBES2), RFC 7914, section 7 (scrypt in PKCS #8).
"""

from __future__ import annotations

import base64
import hashlib
import os
import textwrap

# 2^14 blocks of a kilobyte, eight times over: 16 MB, which OpenSSL still allows, and a part of a second for each guess.
BLOCKS, SIZE, TIMES = 2**14, 8, 8
SALT, BLOCK, KEY = 16, 16, 32  # bytes
PBES2 = bytes.fromhex("06092a864886f70d01050d")  # 1.2.840.113549.1.5.13
SCRYPT = bytes.fromhex("06092b06010401da47040b")  # 1.3.6.1.4.1.11591.4.11
AES_256_CBC = bytes.fromhex("060960864801650304012a")  # 2.16.840.1.101.3.4.1.42
SEQUENCE, OCTETS, INTEGER = 0x30, 0x04, 0x02  # tags of DER
BEGIN, END = "-----BEGIN ENCRYPTED PRIVATE KEY-----", "-----END ENCRYPTED PRIVATE KEY-----"


def protected_pem(private: bytes, passphrase: bytes) -> bytes:
    """A private key, given as the DER of PKCS #8, as the text of a file that only the passphrase opens."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import CBC
    from cryptography.hazmat.primitives.padding import PKCS7

    salt, start = os.urandom(SALT), os.urandom(BLOCK)
    key = hashlib.scrypt(passphrase, salt=salt, n=BLOCKS, r=SIZE, p=TIMES, maxmem=2**26, dklen=KEY)
    padder, encryptor = PKCS7(8 * BLOCK).padder(), Cipher(AES(key), CBC(start)).encryptor()
    padded = padder.update(private) + padder.finalize()
    content = encryptor.update(padded) + encryptor.finalize()
    parameters = _der(OCTETS, salt) + b"".join(map(_integer, (BLOCKS, SIZE, TIMES)))
    stretching = _der(SEQUENCE, SCRYPT + _der(SEQUENCE, parameters))
    encryption = _der(SEQUENCE, AES_256_CBC + _der(OCTETS, start))
    algorithm = _der(SEQUENCE, PBES2 + _der(SEQUENCE, stretching + encryption))
    text = base64.b64encode(_der(SEQUENCE, algorithm + _der(OCTETS, content))).decode()
    return "\n".join([BEGIN, *textwrap.wrap(text, 64), END, ""]).encode()


def is_protected(pem: bytes) -> bool:
    """Whether the text of a private key takes a passphrase to be read."""
    return BEGIN.encode() in pem


def _integer(value: int) -> bytes:
    return _der(INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def _der(tag: int, content: bytes) -> bytes:
    """A value of DER: its tag, its length in as few bytes as it takes, and its content."""
    if len(content) < 128:
        return bytes([tag, len(content)]) + content
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 128 | len(length)]) + length + content
