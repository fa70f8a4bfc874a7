import assert from "node:assert/strict";
import { test } from "node:test";
import { renderServerSettings } from "./server-settings.ts";

test("the server is durable and listens on this machine only", () => {
  const text = renderServerSettings();
  for (const line of [
    "fsync = 'on'",
    "full_page_writes = 'on'",
    "synchronous_commit = 'on'",
    "autovacuum = 'on'",
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
  ]) {
    assert.ok(text.includes(`\n${line}\n`), line);
  }
});

test("an override replaces its line, a setting we do not know is added, quotes are doubled", () => {
  const text = renderServerSettings({ max_connections: "300", search_path: "it's" });
  assert.ok(text.includes("\nmax_connections = '300'\n"));
  assert.ok(!text.includes("max_connections = '100'"));
  assert.ok(text.endsWith("search_path = 'it''s'\n"));
});
