/**
 * Signs with the provider's key in a thread of its own, one text after the other: in the pool of threads a burst of
 * notifications took every processor from calls. This file is both the thread and what starts it.
 */
import { createPrivateKey } from "node:crypto";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { signRsa } from "@titian/contract";

export interface SigningThread extends AsyncDisposable {
  /** RSA-SHA256 in Base64. Rejects when the thread ends first; the next text starts another. */
  sign(text: string): Promise<string>;
}

/** A text could not be signed here. */
export class SigningFailed extends Error {
  override readonly name = "SigningFailed";
}

interface ThreadData {
  readonly role: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
}

const role = "signs-notifications";
/** Small, so that the first of many are sent before the last are signed. */
const batchMax = 16;
const heapMaxMiB = 32;

if (!isMainThread && (workerData as Partial<ThreadData> | null)?.role === role) {
  const key = createPrivateKey((workerData as ThreadData).privateKey);
  parentPort?.on("message", (texts: readonly string[]) =>
    parentPort?.postMessage(texts.map((text) => signRsa(key, text))),
  );
}

interface Asked {
  readonly text: string;
  resolve(signature: string): void;
  reject(error: Error): void;
}

/** The thread starts with the first text, and does not keep the process running when it has nothing to do. */
export function createSigningThread(privateKey: string): SigningThread {
  let running: RunningThread | undefined;
  let asked: Asked[] = [];
  const send = () => {
    const texts = asked;
    asked = [];
    try {
      if (!running?.isAlive()) running = startThread(privateKey);
    } catch (error) {
      for (const { reject } of texts) reject(new SigningFailed("no thread could be started", { cause: error }));
      return;
    }
    for (let at = 0; at < texts.length; at += batchMax) running.sign(texts.slice(at, at + batchMax));
  };
  return {
    sign: (text) =>
      new Promise((resolve, reject) => {
        // Texts of one turn of the event loop go together.
        if (asked.length === 0) queueMicrotask(send);
        asked.push({ text, resolve, reject });
      }),
    [Symbol.asyncDispose]: async () => {
      await running?.end();
    },
  };
}

interface RunningThread {
  sign(batch: readonly Asked[]): void;
  isAlive(): boolean;
  end(): Promise<unknown>;
}

function startThread(privateKey: string): RunningThread {
  const data: ThreadData = { role, privateKey };
  const limits = { maxOldGenerationSizeMb: heapMaxMiB };
  const thread = new Worker(new URL(import.meta.url), { workerData: data, resourceLimits: limits });
  /** In the order they were sent, which is that of the responses. */
  const sent: (readonly Asked[])[] = [];
  let isAlive = true;
  thread.on("message", (signatures: readonly string[]) => {
    const batch = sent.shift() ?? [];
    if (sent.length === 0) thread.unref();
    // As many as texts: both sides are this file.
    for (const [index, { resolve }] of batch.entries()) resolve(signatures[index] as string);
  });
  const fail = (cause?: unknown) => {
    isAlive = false;
    const error = new SigningFailed("the thread that signs notifications ended", { cause });
    for (const { reject } of sent.splice(0).flat()) reject(error);
  };
  thread.on("error", fail);
  thread.once("exit", () => fail());
  return {
    sign: (batch) => {
      sent.push(batch);
      thread.ref();
      thread.postMessage(batch.map(({ text }) => text));
    },
    isAlive: () => isAlive,
    end: () => thread.terminate(),
  };
}
