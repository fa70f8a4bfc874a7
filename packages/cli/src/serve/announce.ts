/** The message after the start: addresses and first commands. */
import { join, resolve } from "node:path";
import type { Config } from "@titian/server";
import { readSandboxFile } from "../sandbox/sandbox-file.ts";

interface Addresses {
  readonly baseUrl: string;
  readonly managementUrl: string;
}

/** `titian` is the command line of this program. */
export function announce(config: Config, { baseUrl, managementUrl }: Addresses, titian: string): string {
  const places = [
    ...(config.sandbox ? [["Console", `${baseUrl}/`]] : []),
    ["Service", `${baseUrl}${config.paths.prefixes[0] ?? ""}/${config.paths.versions[0] ?? ""}`],
    ["API docs", `${managementUrl}/docs`],
    ["Health", `${managementUrl}/health/ready`],
    ...(config.workers > 1 ? [["Workers", `${config.workers} (SIGHUP restarts them one after the other)`]] : []),
    ...(config.sandbox ? [["Credentials", resolve(config.dataDir, "sandbox.json")]] : []),
  ];
  const list = places.map(([name = "", place]) => `  ${name.padEnd(13)}${place}`);
  const kind = config.sandbox ? "the sandbox: simulated money, never for production" : `bank code ${config.bankCode}`;
  return [
    "",
    `Titian is ready (${kind})`,
    ...list,
    "",
    ...(config.sandbox
      ? firstCall(config.dataDir, baseUrl, titian)
      : [`  First partner  ${titian} partner add --help`]),
    "  Stop         Ctrl-C",
    "",
  ].join("\n");
}

function firstCall(dataDir: string, baseUrl: string, titian: string): readonly string[] {
  const file = join(dataDir, "sandbox.json");
  const accountNo = readSandboxFile(file).accounts[0]?.accountNo ?? "…";
  return [
    `  First call   ${baseUrl}/#/try`,
    `  Or here      ${titian} call internalAccountInquiry --field beneficiaryAccountNo=${accountNo}`,
    `  All keys     ${titian} sandbox credentials`,
    `  All calls    below, and ${titian} log --follow`,
  ];
}
