/** Writes events to the file of a security log: chains them, keeps what a failed write left, and leaves a file that was moved. */
import { createChain, cutOff } from "./chain.ts";
import { openLogFile } from "./log-file.ts";
import type { SecurityEvent, SecurityFacts } from "./security-event.ts";

/** An event that waits for its line. */
export interface NotedEvent {
  readonly event: SecurityEvent;
  /** Epoch ms. */
  readonly at: number;
  readonly facts: SecurityFacts;
}

export interface LogWriter {
  /** Facts of the first line. */
  readonly opening: SecurityFacts;
  /** Lines by event. */
  readonly written: ReadonlyMap<SecurityEvent, number>;
  /** True: bytes of a failed write are left. */
  isBehind(): boolean;
  /** Writes what was left, then the events that it takes. @throws the system's error: events that were taken are not lost */
  write(take: () => readonly NotedEvent[]): Promise<void>;
  close(): Promise<void>;
}

interface WriterDeps {
  readonly path: string;
  /** Epoch ms. */
  readonly now: () => number;
  /** The file was changed by somebody else. */
  readonly onAltered: () => void;
}

/** @throws where the file cannot be opened. */
export async function openLogWriter({ path, now, onAltered }: WriterDeps): Promise<LogWriter> {
  const chain = createChain();
  const written = new Map<SecurityEvent, number>();
  let file = await openLogFile(path);
  const { after, isCutOff } = file;
  const bytes = { left: Buffer.from(isCutOff ? "\n" : "") };
  let isLeaving = false;

  async function put(events: readonly NotedEvent[]): Promise<void> {
    for (const { event } of events) written.set(event, (written.get(event) ?? 0) + 1);
    bytes.left = Buffer.from(events.map(({ event, at, facts }) => `${chain.line(event, at, facts)}\n`).join(""));
    await file.append(bytes);
  }
  const ofFile = (event: SecurityEvent): NotedEvent => ({ event, at: now(), facts: {} });

  return {
    opening: { processId: process.pid, after, ...(isCutOff && { reason: cutOff }) },
    written,
    isBehind: () => bytes.left.length > 0,
    async write(take) {
      if (await file.wasAltered()) onAltered();
      const leaves = !isLeaving && (await file.isMoved());
      await file.append(bytes);
      isLeaving ||= leaves;
      await put(leaves ? [...take(), ofFile("log.rotated")] : take());
      if (!isLeaving) return;
      const next = await openLogFile(path);
      await file.close();
      file = next;
      isLeaving = false;
      await put([ofFile("log.continued"), ...take()]);
    },
    close: () => file.close(),
  };
}
