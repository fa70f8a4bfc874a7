/** The call with our client for TypeScript and JavaScript. */
import { type CodeInput, lines, quoted } from "./code-input.ts";

export function writeSdk(input: CodeInput): string {
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
