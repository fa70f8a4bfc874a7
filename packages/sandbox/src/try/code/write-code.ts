/** A signed call as a whole program in each language. */
import { object, type Static, string } from "@titian/contract";
import { type CodeInput, lines, quoted } from "./code-input.ts";
import { writeCurl } from "./curl.ts";
import { writeGo } from "./go.ts";
import { writeJava } from "./java.ts";
import { writePhp } from "./php.ts";
import { writePython } from "./python.ts";

export const programs = object(
  { curl: string(), sdk: string(), php: string(), go: string(), java: string(), python: string() },
  { description: "whole programs that sign and send this call, with the partner's credentials of this sandbox" },
);
type Programs = Static<typeof programs>;
export type CodeLanguage = keyof Programs;

export function writeCode(input: CodeInput): Programs {
  return {
    curl: writeCurl(input),
    sdk: writeSdk(input),
    php: writePhp(input),
    go: writeGo(input),
    java: writeJava(input),
    python: writePython(input),
  };
}

function writeSdk(input: CodeInput): string {
  const { operation, request, isToken, externalId, customerToken } = input;
  if (request === undefined)
    return "// The client sends objects, and this body is none: another language shows how it is sent.\n";
  const options = [
    ...(isToken ? [] : [`externalId: ${quoted(externalId)}`]),
    ...(customerToken === undefined ? [] : [`customerToken: ${quoted(customerToken)}`]),
  ];
  const json = JSON.stringify(request, undefined, 2).toWellFormed();
  return lines(
    'import { createClient } from "@titian/client";',
    "",
    "const client = createClient({",
    `  baseUrl: ${quoted(input.baseUrl)},`,
    input.pathPrefix !== "" && `  pathPrefix: ${quoted(input.pathPrefix)},`,
    `  version: ${quoted(input.version)},`,
    `  partnerId: ${quoted(input.partnerId)},`,
    `  channelId: ${quoted(input.channelId)},`,
    `  clientKey: ${quoted(input.clientKey)},`,
    "  credentials: {",
    `    mode: ${quoted(input.signing)},`,
    input.signing === "symmetric" && `    clientSecret: ${quoted(input.clientSecret)},`,
    `    privateKey: \`${input.privateKey}\`,`,
    "  },",
    "});",
    "",
    `const response = await client.${operation}(${json}${options.length > 0 ? `, { ${options.join(", ")} }` : ""});`,
    "console.log(response.raw);",
  );
}
