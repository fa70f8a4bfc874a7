// Goal: a program without Node's types uses the package's own. Method: the compiler makes the declarations of client and
// contract, as their build does, and compiles a program against them that has no types but the language's; none is skipped.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../../..");
const directory = mkdtempSync(join(tmpdir(), "titian-declarations-"));
after(() => rmSync(directory, { recursive: true }));

const program = `
import { createClient, createMemoryAttempts, createReceiver, type AttemptStore, type Client } from "@titian/client";
import { type Credentials, isSnapError, type ReceiverOptions, type RequestOf, type ResponseOf } from "@titian/client";

export const request: RequestOf<"authPayment"> = {
  partnerReferenceNo: "ORDER-1",
  merchantId: "M-1",
  title: "Deposit",
  additionalInfo: { sourceAccountNo: "1001000001", ofOurs: 1 },
};
export const numberOf = (response: ResponseOf<"intrabankTransfer">): string => response.referenceNo;
export const refund = async (client: Client, request: RequestOf<"authRefund">) => client.authRefund(request);
export const receive = (options: ReceiverOptions) => createReceiver(options).nodeListener;
export async function pay(credentials: Credentials, store: AttemptStore = createMemoryAttempts()) {
  const partner = { partnerId: "P", channelId: "95221", clientKey: "K" };
  const client = createClient({ baseUrl: "https://bank.example", ...partner, credentials });
  const result = await client.settle(client.prepare("authPayment", request), { store, until: new Date() });
  return result.state === "done" ? result.response.referenceNo.length : isSnapError(result);
}
`;

async function compile(project: string, config: object): Promise<void> {
  const path = join(directory, `${project}.json`);
  writeFileSync(path, JSON.stringify(config));
  const tsc = join(root, "node_modules", ".bin", "tsc");
  try {
    await promisify(execFile)(tsc, ["-p", path]);
  } catch (error) {
    assert.fail(String((error as { readonly stdout?: unknown }).stdout));
  }
}

test("the types of the package need no others", async () => {
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
  writeFileSync(join(directory, "program.ts"), program);
  const sources = ["client", "contract"].map((name) => join(root, "packages", name, "src"));
  await compile("packages", {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      emitDeclarationOnly: true,
      rootDir: join(root, "packages"),
      outDir: "declared",
      typeRoots: [join(root, "node_modules", "@types")],
    },
    include: sources,
    exclude: sources.map((source) => join(source, "**", "*.test.ts")),
  });
  const strictly = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
  await compile("program", {
    compilerOptions: {
      ...strictly,
      lib: ["ES2023"],
      types: [],
      target: "ES2023",
      module: "NodeNext",
      paths: Object.fromEntries(
        ["client", "contract"].map((name) => [`@titian/${name}`, [`./declared/${name}/src/index.d.ts`]]),
      ),
    },
    files: ["program.ts"],
  });
});
