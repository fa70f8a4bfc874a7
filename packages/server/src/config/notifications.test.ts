import assert from "node:assert/strict";
import { test } from "node:test";
import { tlsFiles } from "../../../../test/support/edge/tls-files.ts";
import { ConfigError, readConfig } from "./config.ts";

test("notifications: a client certificate and its key belong together, and a proxy is a URL that no message shows", () => {
  const files: Record<string, string> = { "c.pem": tlsFiles.cert, "k.pem": tlsFiles.key };
  const readText = (path: string) => files[path] ?? assert.fail("there is none");
  const pair = { TITIAN_NOTIFICATION_TLS_CERT: "c.pem", TITIAN_NOTIFICATION_TLS_KEY: "k.pem" };
  const faultsWith = (more: object) => {
    try {
      readConfig({ ...pair, ...more }, { readText });
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.faults.join();
    }
    return assert.fail("it was accepted");
  };
  const proxy = "http://bank:secret@proxy.bank.example:3128";
  const read = readConfig({ ...pair, TITIAN_NOTIFICATION_PROXY: proxy }, { readText }).notifications;
  assert.deepEqual([read.tls, read.proxy], [tlsFiles, { url: proxy, resolvesNames: false }]);
  assert.match(
    faultsWith({ TITIAN_NOTIFICATION_TLS_KEY: "" }),
    /^TITIAN_NOTIFICATION_TLS_CERT and .*_KEY belong together/,
  );
  assert.match(
    faultsWith({ TITIAN_NOTIFICATION_TLS_KEY: "c.pem" }),
    /^TITIAN_NOTIFICATION_TLS_KEY must be the file of/,
  );
  const others = [
    "proxy:3128",
    "socks5://secret@proxy",
    "http://secret:1:2/",
    "http://secret@proxy/path",
    "http://secret:99999",
  ];
  for (const other of others) {
    const said = faultsWith({ TITIAN_NOTIFICATION_PROXY: other });
    assert.equal(said, "TITIAN_NOTIFICATION_PROXY must be the http or https URL of a proxy, without a path");
  }
  assert.match(
    readConfig({ TITIAN_NOTIFICATION_PROXY: "https://[fd12::1]:3128" }).notifications.proxy?.url ?? "",
    /fd12/,
  );
});
