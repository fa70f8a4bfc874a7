/** Keys in a KMS, reached by the module of docs/guides/operating.md: the node serves, and has neither of them (ADR 0087). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants, createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { after, test } from "node:test";
import { createMemoryStore, createReceiver, type Endpoint } from "@titian/client";
import { masterKeys } from "../support/administration.ts";
import { eventually } from "../support/black-box/answers.ts";
import type { Json } from "../support/black-box/caller.ts";
import { skn } from "../support/black-box/rails/rail-services.ts";
import { railBody } from "../support/black-box/rails/rail-transfers.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { expectCode } from "../support/black-box/transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const directory = mkdtempSync(join(tmpdir(), "titian-keys-"));
stack.defer(() => rmSync(directory, { recursive: true, force: true }));
const fileOf = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const wrappingKey = randomBytes(32);

function wrap(key: Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", wrappingKey, nonce);
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
}

function unwrap(sealed: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", wrappingKey, sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
}

const kms = { answers: true, failed: 0 };
const kmsServer = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse) {
  const body = (await json(request)) as Readonly<Record<string, string>>;
  if (request.url === "/keys/provider/sign" && !kms.answers) {
    kms.failed += 1;
    response.writeHead(503).end();
    return;
  }
  const message = Buffer.from(body["message"] ?? body["ciphertext"] ?? "", "base64");
  const padding = constants.RSA_PKCS1_PADDING;
  const result = "message" in body ? sign("sha256", message, { key: privateKey, padding }) : unwrap(message);
  response.end(JSON.stringify({ result: result.toString("base64") }));
}

const guide = readFileSync(new URL("../../docs/guides/operating.md", import.meta.url), "utf8");
const [, shown = assert.fail()] = /```js\n(const kms = [^]*?)```/.exec(guide) ?? [];
const module = {
  TITIAN_KEYS: fileOf("kms.mjs", shown),
  KMS_URL: `http://127.0.0.1:${await listen(kmsServer)}`,
  KMS_TOKEN: "of-the-node",
};
const sealed = { ...module, TITIAN_MASTER_KEY: wrap(masterKeys.current), TITIAN_PROVIDER_KEY: publicKey };

/** A receiver of the client's package behind a proxy, which alone resolves its name. */
const receiverHost = "receiver.shop.example";

async function startReceiver() {
  const [key, cert] = [join(directory, "receiver.key"), join(directory, "receiver.pem")];
  const subject = ["-subj", `/CN=${receiverHost}`, "-addext", `subjectAltName=DNS:${receiverHost}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], { stdio: "pipe" });
  const received: string[] = [];
  let receiver: Endpoint | undefined;
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const web = createTlsServer(tls, (request, response) => receiver?.nodeListener(request, response));
  const port = await listen(web);
  const proxy = createServer().on("connect", (_request: IncomingMessage, socket: Socket) => {
    const behind = connect(port, "127.0.0.1", () => socket.write("HTTP/1.1 200 Connection established\r\n\r\n"));
    for (const [one, other] of [[socket, behind] as const, [behind, socket] as const]) {
      stack.defer(() => void one.destroy());
      one.on("error", () => other.destroy()).pipe(other);
    }
  });
  const serve = (partnerId: string) => {
    receiver = createReceiver({
      partnerId,
      keys: { mode: "asymmetric", providerPublicKeys: [publicKey] },
      store: createMemoryStore(),
      on: { skn: (_, { number }) => void received.push(number) },
    });
  };
  return { received, serve, cert, proxyUrl: `http://127.0.0.1:${await listen(proxy)}` };
}

const database = stack.use(await useDatabase());

test("a node whose keys are in a KMS: its notification verifies after two attempts without the KMS", async () => {
  const rails = new URL("../../packages/server/data/rails.json", import.meta.url);
  const terms = JSON.parse(readFileSync(rails, "utf8")) as readonly Json[];
  const shop = await startReceiver();
  const env = {
    ...sealed,
    TITIAN_RAILS_FILE: fileOf("rails.json", JSON.stringify(terms.map(({ hours: _, ...open }) => open))),
    TITIAN_RAIL_DIRECTORY: directory,
    TITIAN_NOTIFICATION_CA_FILE: shop.cert,
    TITIAN_NOTIFICATION_PROXY: shop.proxyUrl,
    TITIAN_NOTIFICATION_PROXY_RESOLVES: "1",
    TITIAN_SHUTDOWN_DELAY_SECONDS: "0",
  };
  const { caller, service } = stack.use(await startProduction(env, database.url));
  const { partnerId, sourceAccounts } = caller.partner;
  shop.serve(partnerId);
  const cliEnv = { TITIAN_ADMIN_DATABASE_URL: database.administrationUrl, TITIAN_SANDBOX: "0" };
  const address = ["--notification-address", `https://${receiverHost}/snap`, "--notification-signing", "asymmetric"];
  const changed = await runCli(["partner", "change", partnerId, ...address], { env: cliEnv });
  assert.equal(changed.exitCode, 0, changed.stderr);
  const tried = await runCli(["partner", "notify", partnerId, "--test", "--service", "75"], {
    env: { ...cliEnv, ...env },
  });
  assert.equal(tried.exitCode, 0, tried.stdout + tried.stderr);

  kms.answers = false;
  const accepted = await caller.call(skn.path, railBody(skn, sourceAccounts[0] ?? ""));
  expectCode(accepted, "2002300");
  const { referenceNo } = accepted.body;
  // A result is the rail's once it has the instruction.
  const folder = join(directory, "skn");
  await eventually(async () => readdirSync(folder).some((name) => name.startsWith("instructions-")));
  const line = `${JSON.stringify({ referenceNo, result: "settled" })}\n`;
  appendFileSync(join(folder, "results", "a.jsonl"), line);
  const attempted = async (count: number) =>
    eventually(async () => {
      // Production's clock is the real one: what waits for its next attempt is due now.
      await runStatements(database.ownerUrl, [
        `update outbox set next_attempt_at = now() where state = 'waiting' and attempt_count > 0
           and attempt_count = (select count(*) from delivery_attempts where outbox_id = outbox.id)`,
      ]);
      const rows = await queryRows(database.ownerUrl, "select failure from delivery_attempts order by attempt");
      return rows.length >= count && (rows as readonly { failure: string | null }[]);
    });
  const failed = await attempted(2);
  assert.match(failed[0]?.failure ?? "", /^KeysUnavailable: sign of TITIAN_KEYS failed: the KMS answered HTTP 503$/);
  kms.answers = true;
  await eventually(async () => {
    await attempted(2);
    return shop.received.includes(String(referenceNo));
  });
  assert.ok(kms.failed >= 2);

  const given = readFileSync(`/proc/${service.pid}/environ`, "utf8");
  for (const secret of ["PRIVATE KEY", masterKeys.current.toString("base64"), wrappingKey.toString("base64")])
    assert.ok(!given.includes(secret));
});
