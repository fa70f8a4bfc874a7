/** Sender of notifications: signs and posts those of the job that delivers, and test notifications. */
import { sendingMax } from "../../notify/delivery/delivery-queues.ts";
import { createHttpClient } from "../../notify/http-client.ts";
import type { PostDeps } from "../../notify/post-notification.ts";
import { createNotificationSigner } from "../../notify/sign-notification.ts";
import { createSigningThread, type SigningThread } from "../../notify/signing-thread.ts";
import { type Keys, keysLimitMs, signBy } from "../../basics/keys.ts";
import type { MovableClock } from "../../basics/clock.ts";
import type { Core } from "../core.ts";

export interface NotificationSender extends PostDeps, AsyncDisposable {
  readonly clock: MovableClock;
  /** Longest time that one signature takes. */
  readonly signingMs: number;
}

/** `providerKey`: PKCS#8 PEM; not used where a module signs. */
export function createSender({ config, clock, addressGuard, log }: Core, providerKey: string): NotificationSender {
  const [version = "v1.0"] = config.paths.versions;
  const { clientId } = config.notifications;
  // All of them may be to one host, which may be several partners': one that hangs keeps no other waiting for a connection.
  const client = createHttpClient({
    ...config.notifications,
    guard: addressGuard,
    connections: sendingMax,
    onTls12: (partner) =>
      log.warn("partner.tls12", "TLS 1.2 is permitted for a partner's notifications.", {
        partner,
        setting: "notificationTlsMin",
      }),
  });
  const { keys } = config;
  const { sign, ...thread } = keys ? signingOf(keys) : createSigningThread(providerKey);
  const signer = createNotificationSigner({ sign, clientId, version, client, real: () => clock.real() });
  const close = async () => {
    await client.close();
    await thread[Symbol.asyncDispose]();
  };
  return { clock, client, signer, version, signingMs: keys ? keysLimitMs : 0, [Symbol.asyncDispose]: close };
}

const signingOf = (keys: Keys): SigningThread => ({
  sign: (text) => signBy(keys, text),
  [Symbol.asyncDispose]: async () => undefined,
});
