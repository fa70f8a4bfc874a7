/** A primary and its synchronous standby, which take turns: for tests of failovers. */
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { clusterDirectory } from "../../../packages/embedded-postgres/src/cluster/cluster-home.ts";
import { createCluster } from "../../../packages/embedded-postgres/src/cluster/create-cluster.ts";
import type { Postmaster } from "../../../packages/embedded-postgres/src/postmaster/postmaster.ts";
import { chooseServerAccount } from "../../../packages/embedded-postgres/src/server/server-account.ts";
import { prepareServerBinaries } from "../../../packages/embedded-postgres/src/server/server-binaries.ts";
import { renderServerSettings } from "../../../packages/embedded-postgres/src/server/server-settings.ts";
import { startOnFreePort } from "../../../packages/embedded-postgres/src/postmaster/start-on-port.ts";
import { eventually } from "../black-box/answers.ts";
import { makeTestDirectory } from "./test-cluster.ts";
import { withClient } from "./with-client.ts";

export interface ReplicatedServers extends AsyncDisposable {
  readonly primary: Server;
  readonly standby: Server;
  /** The standby becomes a primary that waits for none, whatever the other one does. */
  promote(): Promise<void>;
  /** The promoted server is the primary now, and a new copy of it its synchronous standby; the old primary is gone. */
  replaceOld(): Promise<void>;
}

export interface Server {
  readonly port: number;
  /** As the owner. */
  readonly url: string;
  readonly isRunning: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const settings = {
  max_connections: "200",
  shared_buffers: "64MB",
  wal_keep_size: "512MB",
  wal_receiver_status_interval: "1",
};

interface Home {
  readonly directory: string;
  readonly password: string;
  readonly account: ReturnType<typeof chooseServerAccount>;
  readonly binaries: Awaited<ReturnType<typeof prepareServerBinaries>>;
}

interface OwnServer extends Server {
  readonly home: string;
}

export async function startReplicatedServers(): Promise<ReplicatedServers> {
  const directory = makeTestDirectory();
  const account = chooseServerAccount(directory);
  const binaries = await prepareServerBinaries({ isForOtherAccount: account !== undefined, privateCopies: directory });
  const place = { directory, password: randomBytes(12).toString("hex"), account, binaries };
  const first = makeHome(place, 1);
  await createCluster({ ...place, home: first });
  let primary = await openServer(place, first);
  let standby = await copyServer(place, primary, 2);
  let servers = 2;
  return {
    get primary() {
      return primary;
    },
    get standby() {
      return standby;
    },
    promote: async () => {
      // The standby that a new primary would wait for is not there yet.
      appendFileSync(join(clusterDirectory(standby.home), "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
      if (!standby.isRunning) await standby.start();
      await withClient(standby.url, (client) => client.query("select pg_promote(true, 30), pg_reload_conf()"));
    },
    replaceOld: async () => {
      await primary.stop();
      rmSync(primary.home, { recursive: true, force: true });
      primary = standby;
      servers += 1;
      standby = await copyServer(place, primary, servers);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function makeHome({ directory, account }: Home, number: number): string {
  const home = join(directory, `server-${number}`);
  mkdirSync(home, { mode: 0o711 });
  const rule = (database: string) => `host ${database} all 127.0.0.1/32 scram-sha-256\n`;
  const files = {
    "postgresql.conf": renderServerSettings(settings),
    "pg_hba.conf": rule("all") + rule("replication"),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  for (const name of ["", ...Object.keys(files)]) {
    if (account) chownSync(join(home, name), account.uid, account.gid);
  }
  return home;
}

async function openServer({ binaries, account, password }: Home, home: string): Promise<OwnServer> {
  const place = { binaries, home, account };
  let running: Postmaster | undefined = await startOnFreePort(place, undefined);
  let { port } = running;
  return {
    home,
    get port() {
      return port;
    },
    get url() {
      return `postgres://titian:${password}@127.0.0.1:${port}/titian`;
    },
    get isRunning() {
      return running !== undefined;
    },
    start: async () => {
      // Somebody's connection may have got its port meanwhile.
      running = await startOnFreePort(place, port);
      ({ port } = running);
    },
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
  };
}

/** A standby, and the only one that commits of the given server wait for. */
async function copyServer(place: Home, from: OwnServer, number: number): Promise<OwnServer> {
  const home = makeHome(place, number);
  const data = clusterDirectory(home);
  await withClient(from.url, async (client) => {
    await client.query("select pg_backup_start('test', true)");
    const { status, stderr } = spawnSync("cp", ["-a", clusterDirectory(from.home), data]);
    // The server goes on, and removes files of its own.
    if (status !== 0 && !/No such file|vanished/.test(String(stderr))) throw new Error(`cp: ${String(stderr)}`);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    writeFileSync(join(data, "backup_label"), rows[0]?.labelfile ?? "");
  });
  for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(data, name), { force: true });
  writeFileSync(join(data, "standby.signal"), "");
  const { uid, gid } = statSync(data);
  for (const name of ["backup_label", "standby.signal"]) chownSync(join(data, name), uid, gid);
  const follow = `host=127.0.0.1 port=${from.port} user=titian password=${place.password} application_name=standby`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${follow}'\n`);
  const server = await openServer(place, home);
  await setStandbys(from.url, "*");
  await untilReplicated(from.url);
  return server;
}

/** Sets the standbys that commits wait for; in force when it returns. */
async function setStandbys(url: string, names: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${names}'`);
    await client.query("select pg_reload_conf()");
    const isInForce = async () => (await one(client, "show synchronous_standby_names")) === names;
    await eventually(isInForce, 10);
  });
}

async function untilReplicated(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const count = "select count(*) from pg_stat_replication where sync_state = 'sync'";
    await eventually(async () => (await one(client, count)) === "1", 20);
    await client.query("select pg_logical_emit_message(true, 'test', '')");
  });
}

async function one(client: Client, text: string): Promise<string | undefined> {
  const { rows } = await client.query<string[]>({ text, rowMode: "array" });
  return rows[0]?.[0];
}
