/** Settings of notifications: how partners know us, and how connections to them are made. */
import { boolean, optional, string } from "@titian/contract";
import type { TlsFiles } from "../basics/tls.ts";
import { readCertificates, readKeyPair } from "./files/pem-files.ts";
import { flag, range } from "./types.ts";

const clientKey = { description: "1 to 64 visible characters without a bar" };

export const notificationVariables = {
  TITIAN_NOTIFICATION_CLIENT_ID: string({ pattern: "^[!-{}~]{1,64}$", default: "titian", ...clientKey }),
  TITIAN_NOTIFICATION_TIMEOUT_SECONDS: optional(range(1, 60, "seconds")),
  TITIAN_NOTIFICATION_CA_FILE: optional(string({ description: "a file of certificates in PEM" })),
  TITIAN_NOTIFICATION_TLS_CERT: optional(string({ description: "a file with a certificate in PEM, and its chain" })),
  TITIAN_NOTIFICATION_TLS_KEY: optional(
    string({ description: "the file of the private key of TITIAN_NOTIFICATION_TLS_CERT in PEM" }),
  ),
  TITIAN_NOTIFICATION_PROXY: optional(
    string({
      pattern: "^https?://[^/?#]+/?$",
      description: "the http or https URL of a proxy, without a path",
    }),
  ),
  TITIAN_NOTIFICATION_PROXY_RESOLVES: boolean({ ...flag, default: false }),
};

export interface NotificationConfig {
  /** Our `X-CLIENT-KEY`. */
  readonly clientId: string;
  /** Time for one reply. */
  readonly timeoutMs: number;
  /** Certificates (PEM) that are trusted instead of the system's. */
  readonly ca?: string;
  /** Client certificate for partners' systems that ask for one. */
  readonly tls?: TlsFiles;
  /** The proxy through which all posts go; absent: none. */
  readonly proxy?: { readonly url: string; readonly resolvesNames: boolean };
}

interface NotificationSettings {
  readonly TITIAN_NOTIFICATION_CLIENT_ID: string;
  readonly TITIAN_NOTIFICATION_TIMEOUT_SECONDS?: number;
  readonly TITIAN_NOTIFICATION_CA_FILE?: string;
  readonly TITIAN_NOTIFICATION_TLS_CERT?: string;
  readonly TITIAN_NOTIFICATION_TLS_KEY?: string;
  readonly TITIAN_NOTIFICATION_PROXY?: string;
  readonly TITIAN_NOTIFICATION_PROXY_RESOLVES: boolean;
}

export function readNotifications(
  settings: NotificationSettings,
  sandbox: boolean,
  readText: (path: string) => string,
  onInvalid: (name: keyof NotificationSettings) => void,
  faults: string[],
): NotificationConfig {
  const { TITIAN_NOTIFICATION_CA_FILE: caFile, TITIAN_NOTIFICATION_PROXY: proxy } = settings;
  const ca = readCertificates(caFile, readText, () => onInvalid("TITIAN_NOTIFICATION_CA_FILE"));
  const names = ["TITIAN_NOTIFICATION_TLS_CERT", "TITIAN_NOTIFICATION_TLS_KEY"] as const;
  const tls = readKeyPair(names, settings, readText, onInvalid, faults);
  if (proxy !== undefined && !URL.canParse(proxy)) onInvalid("TITIAN_NOTIFICATION_PROXY");
  return {
    clientId: settings.TITIAN_NOTIFICATION_CLIENT_ID,
    timeoutMs: (settings.TITIAN_NOTIFICATION_TIMEOUT_SECONDS ?? (sandbox ? 2 : 10)) * 1_000,
    ...(ca !== undefined && { ca }),
    ...(tls !== undefined && { tls }),
    ...(proxy !== undefined && { proxy: { url: proxy, resolvesNames: settings.TITIAN_NOTIFICATION_PROXY_RESOLVES } }),
  };
}
