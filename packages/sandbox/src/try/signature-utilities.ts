/**
 * Signatures as the portal of the standard computes them, from a key that the caller gives in headers: for clients that
 * were made against it. They need no token and change nothing; nothing of them is recorded or logged.
 */
import { hashBody, minify, signHmac, signRsaAsync, stringToSign } from "@titian/contract";
import { invalidField } from "@titian/control";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { createPrivateKey, type KeyObject } from "node:crypto";

interface UtilitiesOptions {
  readonly answerError: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

const bodyLimit = 65_536;
/** Bits of the largest key: a larger one takes longer than anyone needs. */
const keyBitsMax = 4_096;

/** To be mounted under `/utilities`. */
export function createSignatureUtilities({ answerError }: UtilitiesOptions): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, async (_request: unknown, body: unknown) => body);
    app.addHook("onRequest", async (_request, reply) => {
      reply.headers({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    });
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    app.post("/signature-auth", async (request) => signToken(request));
    app.post("/signature-service", async (request) => signCall(request));
  };
}

async function signToken(request: FastifyRequest): Promise<object> {
  const text = stringToSign.token(header(request, "X-CLIENT-KEY"), header(request, "X-TIMESTAMP"));
  return { signature: toHex(await signRsaAsync(readKey(header(request, "Private_Key")), text)) };
}

function signCall(request: FastifyRequest): object {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const text = stringToSign.transaction({
    method: header(request, "HttpMethod").toUpperCase(),
    // The portal's own spelling.
    path: header(request, "EndpoinUrl"),
    accessToken: header(request, "AccessToken").replace(/^bearer +/i, ""),
    bodyHash: hashBody(minify(body)),
    timestamp: header(request, "X-TIMESTAMP"),
  });
  return { signature: toHex(signHmac(header(request, "X-CLIENT-SECRET"), text)) };
}

/** @throws ControlError 400 */
function header({ headers }: FastifyRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  if (typeof value === "string" && value !== "") return value;
  throw invalidField(name, `Give the header ${name}.`);
}

/** PEM without its line ends, as a header has it, or the Base64 between its first and last line. @throws ControlError 400 */
function readKey(text: string): KeyObject {
  const base64 = text.replaceAll(/-----[A-Z ]+-----|\\n|\s/g, "");
  for (const type of ["pkcs8", "pkcs1"] as const) {
    const key = parse(Buffer.from(base64, "base64"), type);
    if (key?.asymmetricKeyType !== "rsa") continue;
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) <= keyBitsMax) return key;
  }
  throw invalidField(
    "Private_Key",
    `Private_Key must be an RSA private key of at most ${keyBitsMax} bits, in one line.`,
  );
}

/** Undefined for what is no key of this form; the reason could quote it. */
function parse(key: Buffer, type: "pkcs8" | "pkcs1"): KeyObject | undefined {
  try {
    return createPrivateKey({ key, format: "der", type });
  } catch {
    return undefined;
  }
}

const toHex = (base64: string) => Buffer.from(base64, "base64").toString("hex");
