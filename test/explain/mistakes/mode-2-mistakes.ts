/** Mistakes of partners in mode 2. */
import { constants, createHash, createPrivateKey, privateEncrypt } from "node:crypto";
import { hex, signWith } from "../wrong-signer.ts";
import { type Mistake, mistakes, sendsHeader } from "./mistake.ts";

const encrypted = (pem: string, bytes: Buffer) =>
  privateEncrypt({ key: createPrivateKey(pem), padding: constants.RSA_PKCS1_PADDING }, bytes);

const sha256 = (text: string) => createHash("sha256").update(text).digest();

export const mode2Mistakes: readonly Mistake[] = [
  ...mistakes(
    "mode 2",
    "algorithm",
    [
      ["HMAC instead of RSA", "midtrans", "algorithm.hmacForRsa", (d) => void (d.sign = signWith.hmac("sha512"))],
      [
        "RSA with SHA-512",
        "dotnet",
        "algorithm.otherRsa",
        (d, { own }) => void (d.sign = signWith.rsa("sha512", own.privateKey)),
      ],
      [
        "RSA with SHA-1, the default of openssl_sign",
        "php",
        "algorithm.otherRsa",
        (d, { own }) => void (d.sign = signWith.rsa("sha1", own.privateKey)),
      ],
      ["RSA-PSS", "dotnet", "algorithm.pss", (d, { own }) => void (d.sign = signWith.pss(own.privateKey))],
      [
        "hashed twice",
        "java",
        "algorithm.hashedTwice",
        (d, { own }) => void (d.sign = (text) => signWith.rsa("sha256", own.privateKey)(hex(text))),
      ],
      [
        "the digest encrypted by itself",
        "openssl",
        "algorithm.noDigestInfo",
        (d, { own }) => void (d.sign = (text) => encrypted(own.privateKey, sha256(text))),
      ],
      [
        "the text encrypted",
        "php",
        "algorithm.notHashed",
        (d, { own }) => void (d.sign = (text) => encrypted(own.privateKey, Buffer.from(text))),
      ],
    ],
    "asymmetric",
  ),
  ...mistakes(
    "mode 2",
    "token",
    [
      ["two colons in mode 2", "aspi", "token.doubledColon", (d) => void (d.signedToken = "")],
      [
        "a token in mode 2",
        "neo",
        "token.present",
        (d) => {
          d.token = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"key-of-gamma"}').toString("base64url")}.${"A".repeat(43)}`;
          d.signedToken = d.token;
        },
      ],
    ],
    "asymmetric",
  ),
  ...mistakes(
    "mode 2",
    "mode",
    [
      [
        "client key and time in mode 2",
        "neo",
        "mode.tokenText",
        (d, { own }) => void (d.join = () => `${own.clientKey}|${d.timestamp}`),
      ],
    ],
    "asymmetric",
  ),
  ...mistakes(
    "mode 2",
    "path",
    [
      [
        "path without version in mode 2",
        "faspay",
        "path.withoutVersion",
        (d) => void (d.signedPath = "/transfer-intrabank"),
      ],
    ],
    "asymmetric",
  ),
  ...mistakes(
    "mode 2",
    "secret",
    [
      [
        "another partner's private key",
        "openssl",
        "secret.otherPartners",
        (d, { otherInMode2 }) => void (d.sign = signWith.rsa("sha256", otherInMode2.privateKey)),
      ],
      [
        "X-PARTNER-ID of another partner of mode 2",
        "postman",
        "secret.otherPartners",
        (d, { otherInMode2 }) => sendsHeader("X-PARTNER-ID", otherInMode2.partnerId)(d),
      ],
    ],
    "asymmetric",
  ),
  ...mistakes(
    "mode 2",
    "header",
    [
      [
        "X-PARTNER-ID of a partner of mode 1",
        "copy",
        "partner.signedByOther",
        (d, { other }) => sendsHeader("X-PARTNER-ID", other.partnerId)(d),
      ],
    ],
    "asymmetric",
  ),
];
