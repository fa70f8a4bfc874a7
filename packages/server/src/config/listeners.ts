/** Settings of the listeners: where they are, and what stands between them and their callers. */
import { array, boolean, choice, optional, string } from "@titian/contract";
import type { ListenerTls } from "../basics/tls.ts";
import { readCertificates, readKeyPair } from "./files/pem-files.ts";
import { flag, range, whole } from "./types.ts";

const host = { default: "127.0.0.1", description: "an address or host name" };

export const listenerVariables = {
  PORT: whole(0, 65_535, 8080, "a port number"),
  HOST: string(host),
  TITIAN_MANAGEMENT_PORT: optional(range(0, 65_535, "a port number")),
  TITIAN_MANAGEMENT_HOST: string(host),
  TITIAN_TLS_CERT: optional(string({ description: "a file with a certificate in PEM, and its chain" })),
  TITIAN_TLS_KEY: optional(string({ description: "the file of the private key of TITIAN_TLS_CERT in PEM" })),
  TITIAN_TLS_CLIENT_CA: optional(string({ description: "a file of CA certificates in PEM" })),
  TITIAN_TLS_MIN: choice(["1.2", "1.3"], { default: "1.3", description: "1.2 or 1.3" }),
  TITIAN_CLIENT_CERTIFICATE_HEADER: optional(
    string({ pattern: "^[A-Za-z0-9-]{1,100}$", description: "the name of a header" }),
  ),
  TITIAN_BEHIND_PROXY: boolean({ ...flag, default: false }),
  TITIAN_TRUSTED_PROXIES: array(string({ pattern: "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$" }), {
    default: [],
    description: "addresses or CIDR ranges, separated by commas",
  }),
  TITIAN_HOSTS: array(string({ pattern: "^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$" }), {
    default: [],
    description: "host names such as api.bank.example, without a port, separated by commas",
  }),
};

interface ListenerSettings {
  readonly PORT: number;
  readonly HOST: string;
  readonly TITIAN_MANAGEMENT_PORT?: number;
  readonly TITIAN_MANAGEMENT_HOST: string;
  readonly TITIAN_CLIENT_CERTIFICATE_HEADER?: string;
  readonly TITIAN_BEHIND_PROXY: boolean;
  readonly TITIAN_TRUSTED_PROXIES: readonly string[];
  readonly TITIAN_HOSTS: readonly string[];
}

export interface Listeners {
  /** Where to listen; port 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Where metrics, health and documentation are served; absent: on the main address, where the sandbox always has them. */
  readonly management?: { readonly port: number; readonly host: string };
  /** True: a proxy with TLS stands before the main listener. */
  readonly behindProxy: boolean;
  /** Addresses (IP or CIDR) of reverse proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Header in which those pass a client's certificate on; absent: none is believed. */
  readonly clientCertificateHeader?: string;
  /** Host names under which the service is called, beside addresses and loopback names. */
  readonly hosts: readonly string[];
}

export function readListeners(settings: ListenerSettings, sandbox: boolean): Listeners {
  const { TITIAN_CLIENT_CERTIFICATE_HEADER: clientCertificateHeader } = settings;
  return {
    port: settings.PORT,
    host: settings.HOST,
    ...managementOf(settings, sandbox),
    behindProxy: settings.TITIAN_BEHIND_PROXY,
    trustedProxies: settings.TITIAN_TRUSTED_PROXIES,
    ...(clientCertificateHeader !== undefined && { clientCertificateHeader }),
    hosts: settings.TITIAN_HOSTS,
  };
}

/** Outside the sandbox they always have a listener of their own; one that picks a port picks this one too. */
function managementOf(settings: ListenerSettings, sandbox: boolean): Pick<Listeners, "management"> {
  const port = settings.TITIAN_MANAGEMENT_PORT ?? (sandbox ? undefined : settings.PORT === 0 ? 0 : 9_090);
  return port === undefined ? {} : { management: { port, host: settings.TITIAN_MANAGEMENT_HOST } };
}

interface TlsSettings {
  readonly TITIAN_TLS_CERT?: string;
  readonly TITIAN_TLS_KEY?: string;
  readonly TITIAN_TLS_CLIENT_CA?: string;
  readonly TITIAN_TLS_MIN: "1.2" | "1.3";
  readonly TITIAN_CLIENT_CERTIFICATE_HEADER?: string;
  readonly TITIAN_TRUSTED_PROXIES: readonly string[];
}

/** Absent: listeners without TLS. */
export function readListenerTls(
  settings: TlsSettings,
  readText: (path: string) => string,
  onInvalid: (name: keyof TlsSettings) => void,
  faults: string[],
): ListenerTls | undefined {
  const { TITIAN_TLS_CLIENT_CA: caFile, TITIAN_TLS_MIN: minVersion } = settings;
  const files = readKeyPair(["TITIAN_TLS_CERT", "TITIAN_TLS_KEY"], settings, readText, onInvalid, faults);
  const clientCa = readCertificates(caFile, readText, () => onInvalid("TITIAN_TLS_CLIENT_CA"));
  if (settings.TITIAN_TLS_CERT === undefined && settings.TITIAN_TLS_KEY === undefined) {
    if (caFile !== undefined) faults.push(needsTls("TITIAN_TLS_CLIENT_CA"));
    if (minVersion === "1.2") faults.push(needsTls("TITIAN_TLS_MIN=1.2"));
  }
  if (settings.TITIAN_CLIENT_CERTIFICATE_HEADER !== undefined && settings.TITIAN_TRUSTED_PROXIES.length === 0) {
    faults.push("TITIAN_CLIENT_CERTIFICATE_HEADER needs TITIAN_TRUSTED_PROXIES: from anybody else it proves nothing");
  }
  return (
    files && { ...files, ...(clientCa !== undefined && { clientCa }), ...(minVersion === "1.2" && { minVersion }) }
  );
}

const needsTls = (setting: string) =>
  `${setting} needs TITIAN_TLS_CERT and TITIAN_TLS_KEY: without them TLS, its versions and certificates are a proxy's`;
