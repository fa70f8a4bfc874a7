/** A secret in a place where it does not belong is shown nowhere, and the explanation says where a client secret stands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { request } from "undici";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { timestampOf } from "../support/black-box/signer.ts";

test("a client secret sent as header, query, member or path is shown nowhere, and the sentence names it", async () => {
  await using sandbox = await startSandbox({ TITIAN_LOG_LEVEL: "debug" });
  const { baseUrl, pathPrefix, version, partners, controlToken } = sandbox.file;
  const alpha = partners.find(({ partnerId }) => partnerId === "alpha");
  const secret = alpha?.clientSecret;
  assert.ok(alpha && secret);
  const root = `${pathPrefix}/${version}`;
  const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64").replace(/=+$/, "")];
  const headers = {
    "Content-Type": "application/json",
    "X-TIMESTAMP": timestampOf(Date.now()),
    "X-SIGNATURE": "AAAA",
    "X-Debug-Mode": "true",
  };
  const transaction = { ...headers, "X-PARTNER-ID": "alpha", "X-EXTERNAL-ID": "1", "CHANNEL-ID": "95221" };
  const calls = [
    { path: `${root}/access-token/b2b`, headers: { ...headers, "X-CLIENT-KEY": secret }, part: "X-CLIENT-KEY" },
    { path: `${root}/transfer-intrabank`, headers: { ...transaction, "X-PARTNER-ID": secret }, part: "X-PARTNER-ID" },
    { path: `${root}/transfer-intrabank?a=${forms[1]}`, headers: transaction, part: "path" },
    { path: `${root}/transfer-intrabank`, headers: { ...transaction, "X-EXTERNAL-ID": secret }, part: "X-EXTERNAL-ID" },
    { path: `${root}/transfer-intrabank`, headers: { ...transaction, "CHANNEL-ID": secret }, part: "CHANNEL-ID" },
    { path: `/${secret}/transfer-intrabank`, headers: transaction, part: "path" },
    { path: `${root}/transfer-intrabank`, headers: { ...transaction, "X-Note": String(forms[2]) }, part: "X-Note" },
  ];
  for (const { path, headers: sent, part } of calls) {
    const body: string = JSON.stringify({ note: secret });
    const response = await request(`${baseUrl}${path}`, { method: "POST", headers: sent, body });
    const id = String(response.headers["x-correlation-id"]);
    const answer: string = await response.body.text();
    const shown: string[] = [answer];
    for (const page of [`calls/${id}`, "calls", "refusals?last=20"]) {
      const { body: view } = await request(`${baseUrl}/sandbox/${page}`, {
        headers: { Authorization: `Bearer ${controlToken}` },
      });
      shown.push(await view.text());
    }
    for (const text of shown) for (const form of forms) assert.equal(text.includes(form), false, `${part} in ${text}`);
    assert.match(String(shown[1]), new RegExp(`${part} holds alpha's client secret`), part);
  }
  for (const form of forms) assert.equal(sandbox.service.output().includes(form), false, sandbox.service.output());
});

test("tokens, codes and private keys of anybody are shown nowhere, and a private key is named", async () => {
  await using sandbox = await startSandbox({ TITIAN_LOG_LEVEL: "debug" });
  const { baseUrl, pathPrefix, version, partners, controlToken } = sandbox.file;
  const alpha = partners.find(({ partnerId }) => partnerId === "alpha") ?? assert.fail();
  const asked = { partnerId: "alpha", accountNo: alpha.sourceAccounts[0] };
  const { authCode } = await sandbox.control.call<{ readonly authCode: string }>("POST", "auth-codes", asked);
  const token = await sandbox.caller("alpha").token();
  const der = alpha.privateKey.replaceAll(/-----.*-----|\s/g, "");
  const headers = { "Content-Type": "application/json", "X-TIMESTAMP": timestampOf(Date.now()), "X-SIGNATURE": "AAAA" };
  for (const [secret, part] of [
    [authCode, undefined],
    [token, undefined],
    [der, "X-PARTNER-ID"],
    [alpha.privateKey, "body"],
  ] as const) {
    const name = secret.includes("\n") ? "alpha" : secret;
    const response = await request(
      `${baseUrl}${pathPrefix}/${version}/transfer-intrabank?a=${encodeURIComponent(name)}`,
      {
        method: "POST",
        headers: {
          ...headers,
          "X-PARTNER-ID": name,
          "X-EXTERNAL-ID": name,
          "CHANNEL-ID": "95221",
          "X-Debug-Mode": "true",
        },
        body: JSON.stringify({ note: secret }),
      },
    );
    const id = String(response.headers["x-correlation-id"]);
    const shown = [await response.body.text()];
    for (const page of [`calls/${id}`, "calls", "refusals?last=20"]) {
      const { body } = await request(`${baseUrl}/sandbox/${page}`, {
        headers: { Authorization: `Bearer ${controlToken}` },
      });
      shown.push(await body.text());
    }
    // Text behind the start that tells tokens apart.
    for (const text of [...shown, sandbox.service.output()]) {
      assert.equal(text.includes(der.slice(40, 80)) || text.includes(secret.slice(28, 60)), false, text);
    }
    if (part !== undefined && part !== "body")
      assert.match(String(shown[1]), new RegExp(`${part}|path holds a private key`));
  }
});
