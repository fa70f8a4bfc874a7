/** The call in JavaScript, with the client of this repository. */
import { type CodeInput, lines, noSandbox, quoted, whyAgain } from "./code-input.ts";

export function writeJavaScript(input: CodeInput): string {
  const { operation, request, isToken, repeats, values } = input;
  if (request === undefined)
    return "// The client sends objects, and this body is none: another language shows how it is sent.\n";
  const isFile = values === "sandboxFile";
  const sent = isFile ? body : JSON.stringify(request, undefined, 2).toWellFormed();
  const customer = input.customerToken === undefined ? "" : `customerToken: ${quoted(input.customerToken)}`;
  const externalId = isToken || isFile ? "" : `externalId: ${quoted(input.externalId)}`;
  const options = [externalId, customer].filter((text) => text !== "").join(", ");
  return lines(
    !isFile && whereClientIs,
    isFile && 'import { existsSync, readFileSync } from "node:fs";',
    isFile && 'import { join } from "node:path";',
    repeats && 'import { setTimeout } from "node:timers/promises";',
    'import { createClient } from "@titian/client";',
    "",
    isFile ? sandboxFile : texts(input),
    "",
    fail,
    "",
    repeats
      ? again(`client.prepare("${operation}", ${sent}${withOptions(externalId)})`, customer)
      : `const response = await client.${operation}(${sent}${withOptions(options)}).catch(fail);\nconsole.log(response.raw);`,
  );
}

function texts(input: CodeInput): string {
  return lines(
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
  ).trimEnd();
}

const sandboxFile = `const file = join(process.env.TITIAN_DATA_DIR ?? ".titian", "sandbox.json");
if (!existsSync(file))
  fail({ message: \`No \${file}${noSandbox}\` });
const { baseUrl, pathPrefix, version, partners } = JSON.parse(readFileSync(file, "utf8"));
const [{ partnerId, channelId, clientKey, clientSecret, privateKey, sourceAccounts }] = partners;
const credentials = { mode: "symmetric", clientSecret, privateKey };
const client = createClient({ baseUrl, pathPrefix, version, partnerId, channelId, clientKey, credentials });`;

const body = `{
  partnerReferenceNo: crypto.randomUUID(),
  amount: { value: "250000.00", currency: "IDR" },
  sourceAccountNo: sourceAccounts[0],
  beneficiaryAccountNo: sourceAccounts[1],
  transactionDate: new Date(Date.now()).toISOString(),
}`;

const withOptions = (options: string) => (options === "" ? "" : `, { ${options} }`);

const whereClientIs = `// Save as call.mjs. The client comes from two archives, which this makes in the repository's root:
//   npm pack -w @titian/contract -w @titian/client
// Where call.mjs is: npm install <root>/titian-contract-*.tgz <root>/titian-client-*.tgz, then node call.mjs
`;

const fail = `function fail(error) {
  console.error(error.message);
  process.exit(1);
}`;

/** `customer`: the options of each send. */
const again = (attempt: string, customer: string) => `const attempt = ${attempt};
// The cause is the token's.
const isLost = ({ isFinal, cause }) =>
  isFinal === false || cause?.code === "ERR_NO_RESPONSE" || cause?.httpStatus >= 500;
${whyAgain.map((line) => `// ${line}`).join("\n")}
let sent = client.send(attempt${withOptions(customer)});
for (const wait of [1_000, 2_000, 4_000, 8_000]) {
  sent = sent.catch(async (error) => {
    if (!isLost(error)) throw error;
    await setTimeout(wait);
    return client.repeat(attempt${withOptions(customer)});
  });
}
const response = await sent.catch((error) => {
  const first = error.originalResponse;
  return first?.responseCode?.startsWith("2") ? first : fail(error);
});
console.log(response.raw ?? response);`;
