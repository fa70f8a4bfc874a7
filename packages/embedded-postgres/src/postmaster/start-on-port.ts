/** Starts the server in spite of the two things that pass by themselves: a port just taken, a predecessor just dying. */
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../server/free-port.ts";
import { startPostmaster, type FailedStart, type Postmaster, type PostmasterOptions } from "./postmaster.ts";

export type ServerPlace = Omit<PostmasterOptions, "port">;

const portTries = 20;
const pauseMs = 100;
/** Sessions of a killed server notice its death within moments; until then the cluster's memory is theirs. */
const dyingTries = 100;
/** While the server is away, a connection of any program may get its port for its own end: one that looks for the server, too. */
const takenTries = 100;

/** Starts on `preferred` if it is free, else on any free port. */
export async function startOnFreePort(place: ServerPlace, preferred: number | undefined): Promise<Postmaster> {
  let port = preferred ?? (await findFreePort());
  for (let tries = 1; ; tries += 1) {
    const started = await startPatiently({ ...place, port });
    if (!("failed" in started)) return started;
    if (started.failed !== "portTaken" || tries === portTries) throw startError(place, started);
    port = await findFreePort();
  }
}

/** Starts on exactly this port, since others know it; one that is taken is waited for, 10 s. */
export async function startOnPort(place: ServerPlace, port: number): Promise<Postmaster> {
  for (let tries = 1; ; tries += 1) {
    const started = await startPatiently({ ...place, port });
    if (!("failed" in started)) return started;
    if (started.failed !== "portTaken" || tries === takenTries) throw startError(place, started);
    await sleep(pauseMs);
  }
}

async function startPatiently(options: PostmasterOptions): Promise<Postmaster | FailedStart> {
  for (let tries = 1; ; tries += 1) {
    const started = await startPostmaster(options);
    if (!("failed" in started) || started.failed !== "stillInUse" || tries === dyingTries) return started;
    await sleep(pauseMs);
  }
}

function startError(place: ServerPlace, { message }: FailedStart): Error {
  return new Error(`PostgreSQL did not start on ${place.home} (its log: ${place.home}/postgres.log):\n${message}`);
}
