/** Settings of the console in production: its door of the database, and the identity provider that says who operators are. */
import { optional, string } from "@titian/contract";
import { isLoopbackName } from "../basics/host-names.ts";

/** A claim of the identity provider's token, and its values that tell of a second factor. */
export interface SecondFactorRule {
  readonly claim: string;
  readonly values: readonly string[];
}

export interface ConsoleSettings {
  /** The database for the console's role, a door of operators. */
  readonly databaseUrl: string;
  /** Name of the identity provider (OpenID Connect), and its address. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly secondFactor: SecondFactorRule;
  /** Address at which operators reach the management listener, without a slash at its end. */
  readonly url: string;
}

const address = string({ pattern: "^https?://[^\\s?#]+$", description: "an http or https URL" });

export const consoleVariables = {
  TITIAN_CONSOLE_DATABASE_URL: optional(
    string({ pattern: "^postgres(ql)?://", description: "a postgres:// URL of the console's role" }),
  ),
  TITIAN_CONSOLE_URL: optional(address),
  TITIAN_OIDC_ISSUER: optional(address),
  TITIAN_OIDC_CLIENT_ID: optional(string({ pattern: "^[ -~]{1,200}$", description: "the id of a client" })),
  TITIAN_OIDC_CLIENT_SECRET: optional(string({ pattern: "^[ -~]{1,1000}$", description: "the client's secret" })),
  TITIAN_OIDC_SECOND_FACTOR: optional(
    string({
      pattern: "^[A-Za-z0-9_.-]{1,64}:[!-~]{1,500}$",
      description: "a claim and its values that tell of a second factor, such as amr:mfa,otp,hwk",
    }),
  ),
};

type Variable = keyof typeof consoleVariables;
type Given = { readonly [Name in Variable]?: string };

export interface ConsoleConfig {
  /** Absent: there is no console. */
  readonly console?: ConsoleSettings;
}

/** All of them, or none. */
export function readConsole(settings: Given, sandbox: boolean, faults: string[]): ConsoleConfig {
  const names = Object.keys(consoleVariables) as Variable[];
  const given = names.filter((name) => settings[name] !== undefined);
  if (given.length === 0) return {};
  if (sandbox) {
    faults.push(`${given.join(", ")}: a sandbox's console has sessions of its own, and no operators`);
    return {};
  }
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) {
    faults.push(`${missing.join(", ")}: the console needs all of ${names.join(", ")}, or none of them`);
    return {};
  }
  const text = (name: Variable) => settings[name] ?? "";
  for (const name of ["TITIAN_CONSOLE_URL", "TITIAN_OIDC_ISSUER"] as const)
    if (isPlain(text(name))) faults.push(`${name} must begin with https, beyond this machine`);
  const [claim = "", values = ""] = text("TITIAN_OIDC_SECOND_FACTOR").split(/:(.*)/s);
  return {
    console: {
      databaseUrl: text("TITIAN_CONSOLE_DATABASE_URL"),
      issuer: text("TITIAN_OIDC_ISSUER"),
      clientId: text("TITIAN_OIDC_CLIENT_ID"),
      clientSecret: text("TITIAN_OIDC_CLIENT_SECRET"),
      secondFactor: { claim, values: values.split(",") },
      url: text("TITIAN_CONSOLE_URL").replace(/\/+$/, ""),
    },
  };
}

/** Secrets would go over the network as they are. */
function isPlain(url: string): boolean {
  return url.startsWith("http:") && !isLoopbackName(new URL(url).hostname);
}
