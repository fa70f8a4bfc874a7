/**
 * 1,500 connections of one address with a rejected body of 1 MiB each, twice: the memory of the service at its peak and
 * later. The sending process is this file too.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../support/black-box/start-sandbox.ts";
import { callHead, targetOf, type Target } from "./patterns.ts";

export interface RejectedBodies {
  readonly connections: number;
  readonly bytes: number;
  readonly rounds: number;
  /** Time after the last round when memory is read again. */
  readonly waitMs: number;
}

export interface MemoryMeasured {
  /** Connections by what they read: the code of the response, or none. */
  readonly answers: Readonly<Record<string, number>>;
  readonly startMiB: number;
  readonly peakMiB: number;
  readonly afterMiB: number;
}

interface Order extends RejectedBodies {
  readonly target: Target;
}

const senderLimitMs = 120_000;

export async function measureRejectedBodies(sandbox: Sandbox, scene: RejectedBodies): Promise<MemoryMeasured> {
  const { pid } = sandbox.service;
  const startMiB = residentMiB(pid, "VmRSS");
  const answers: Record<string, number> = {};
  for (let round = 0; round < scene.rounds; round += 1) {
    const order: Order = { ...scene, target: targetOf(sandbox.file) };
    const sender = spawn(process.execPath, ["--conditions=source", import.meta.filename, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "inherit"],
      timeout: senderLimitMs,
    });
    const [output] = await Promise.all([text(sender.stdout), once(sender, "exit")]);
    for (const [code, count] of Object.entries(JSON.parse(output) as Record<string, number>)) {
      answers[code] = (answers[code] ?? 0) + count;
    }
  }
  await sleep(scene.waitMs);
  return { answers, startMiB, peakMiB: residentMiB(pid, "VmHWM"), afterMiB: residentMiB(pid, "VmRSS") };
}

/** Resident memory on Linux; 0 elsewhere. */
export function residentMiB(pid: number, name: "VmRSS" | "VmHWM"): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}

/** One connection's part: sends all of it, reads what comes, ends when the service closes. Resolves to the code it read. */
async function sendBody({ target, bytes }: Order, body: Buffer): Promise<string> {
  const socket = connect({ port: target.port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  let received = "";
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("connect", () => {
    socket.write(callHead(target, [`Content-Length: ${bytes}`]));
    socket.write(body);
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return /"responseCode":"(\d+)"/.exec(received)?.[1] ?? "none";
}

if (import.meta.main) {
  const order = JSON.parse(process.argv[2] ?? "") as Order;
  const body = Buffer.alloc(order.bytes, " ");
  const codes = await Promise.all(Array.from({ length: order.connections }, () => sendBody(order, body)));
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  console.log(JSON.stringify(counts));
}
