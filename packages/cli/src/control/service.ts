/** The service that `TITIAN_URL` names, by a token or by the session of an operator who has logged in. */
import { type Config, loadConfig } from "@titian/server/config";
import { usageError } from "../cli-error.ts";
import { readSession } from "./session-file.ts";
import { note } from "../output.ts";
import type { Mount } from "./http.ts";

type ServicePlace = NonNullable<Config["control"]>;

/** Names it on standard error. @throws CliError where nobody has logged in */
export function openService({ url, token }: ServicePlace): Mount {
  nameService(url);
  if (token !== undefined) return { url, token, what: "service" };
  const secret = readSession(url);
  if (secret === undefined)
    throw usageError(`Nobody has logged in at ${url}: titian login. For a control token set TITIAN_TOKEN.`);
  return { url, token: secret, what: "service", isSession: true };
}

/** Where operators log in; with `session` the calls are in the session that stands here. @throws CliError where `TITIAN_URL` is not set */
export function operatorsMount({ session }: { readonly session: boolean }): Mount & { readonly serviceUrl: string } {
  const { control } = loadConfig({ needsSecrets: false });
  if (control === undefined)
    throw usageError(
      "TITIAN_URL is not set: where operators' calls are, such as https://titian.bank.example:9090/control",
    );
  const { url: serviceUrl } = control;
  const mount = session ? openService({ url: serviceUrl }) : { what: "service" as const };
  if (!session) nameService(serviceUrl);
  // It stands beside the calls.
  return { ...mount, url: `${serviceUrl.replace(/\/[^/]*$/, "")}/operators`, serviceUrl };
}

function nameService(url: string): void {
  note(`Service at ${url}`);
  if (isReadOnTheWay(url))
    note("Warning: TITIAN_TOKEN and all answers go there unencrypted, as the address begins with http: use https.");
}

/** True: plain HTTP to another machine. */
function isReadOnTheWay(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && !/^(?:127\.|\[::1\]$)/.test(hostname);
}
