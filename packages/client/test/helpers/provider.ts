/** A provider that signs notifications, and the receiver it sends them to. */
import { generateKeyPairSync } from "node:crypto";
import {
  formatTimestamp,
  hashBody,
  operations,
  type RequestOf,
  signHmac,
  signRsa,
  stringToSign,
} from "@titian/contract";
import {
  createMemoryStore,
  createReceiver,
  type Endpoint,
  type NotificationKey,
  type ReceivedBulk,
  type ReceiverOptions,
  type RejectedNotification,
} from "../../src/index.ts";
import vectors from "../../../../vectors/snap-test-vectors.json" with { type: "json" };
import { type MovableClock, movableClock } from "./movable-clock.ts";

export const { privateKey, publicKey } = vectors.generated.provider;
export const { clientSecret, clientKey } = vectors.generated;
export const tokenSecret = "a token secret of thirty-two bytes";

/** Key of a provider that changes its key. */
const other = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
export const otherPublicKey = other.publicKey;
export const otherPrivateKey = other.privateKey;

const additionalInfo = { partnerId: "PARTNER-1" };
export const rtgs: RequestOf<"rtgsNotification"> = { ...operations.rtgsNotification.example.request, additionalInfo };
export const skn: RequestOf<"sknNotification"> = { ...operations.sknNotification.example.request, additionalInfo };
export const bulk: ReceivedBulk = { ...operations.bulkNotification.example.request, additionalInfo };

export const rtgsPath = "/base/v1.0/transfer-rtgs/notify";
export const sknPath = "/base/v1.0/transfer-skn/notify";
export const bulkPath = "/base/v1.0/transfer-interbank-bulk/notify";

export interface Signing {
  readonly path?: string;
  readonly externalId?: string;
  readonly timestamp?: string;
  readonly privateKey?: string;
  /** Mode 1. */
  readonly accessToken?: string;
  readonly secret?: string;
}

/** A signed notification; `body` is sent as it is. */
export interface Delivery {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** For stores. */
export const anyKey: NotificationKey = {
  serviceCode: "76",
  number: "01JD7KAD2E3F4G5H6J7K8M9N0P",
  status: "00",
  externalId: "2026112100000001",
  bodyHash: "0".repeat(64),
};

export const startTime = Date.UTC(2026, 10, 21, 3, 0, 0);

export function sign(body: object | string | Uint8Array, signing: Signing = {}): Delivery {
  const {
    path = rtgsPath,
    externalId = "2026112100000001",
    timestamp = formatTimestamp(startTime),
    accessToken,
  } = signing;
  const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const bodyHash = hashBody(Buffer.from(sent));
  const text = stringToSign.transaction({ method: "POST", path, accessToken, bodyHash, timestamp });
  const signature =
    accessToken === undefined
      ? signRsa(signing.privateKey ?? privateKey, text)
      : signHmac(signing.secret ?? clientSecret, text);
  const headers = {
    "content-type": "application/json",
    "x-timestamp": timestamp,
    "x-signature": signature,
    "x-partner-id": "PARTNER-1",
    "x-external-id": externalId,
    "channel-id": "95221",
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  };
  return { path, headers, body: sent };
}

export interface Answered {
  readonly status: number;
  readonly responseCode: unknown;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export async function readAnswer(response: Response): Promise<Answered> {
  const body = (await response.json()) as Answered["body"];
  return { status: response.status, responseCode: body["responseCode"], body, headers: response.headers };
}

/** Through the Fetch API; changes make it another delivery than the one that was signed. */
export async function deliver(receiver: Endpoint, delivery: Delivery, method = "POST"): Promise<Answered> {
  const { path, headers, body } = delivery;
  const init = method === "POST" ? { body: Buffer.from(body) } : {};
  return readAnswer(await receiver(new Request(`https://partner.example${path}`, { method, headers, ...init })));
}

export interface TestReceiver {
  readonly receiver: Endpoint;
  readonly clock: MovableClock;
  /** Notifications that the handlers got. */
  readonly handled: unknown[];
  readonly rejected: RejectedNotification[];
}

export function testReceiver(options: Partial<ReceiverOptions> = {}): TestReceiver {
  const clock = movableClock(startTime);
  const handled: unknown[] = [];
  const rejected: RejectedNotification[] = [];
  const handle = (notification: unknown) => void handled.push(notification);
  const receiver = createReceiver({
    partnerId: "PARTNER-1",
    keys: { mode: "asymmetric", providerPublicKeys: [publicKey] },
    on: { rtgs: handle, skn: handle, bulk: handle },
    store: createMemoryStore(),
    clock,
    onRejected: (rejection) => rejected.push(rejection),
    ...options,
  });
  return { receiver, clock, handled, rejected };
}
