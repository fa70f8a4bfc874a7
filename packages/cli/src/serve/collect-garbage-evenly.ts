/** Garbage collection of V8 in the service's process. */
import { setFlagsFromString } from "node:v8";

/** The first V8 with the flag: that of Node 24. An older one would print an error. */
const firstV8 = 13;

/**
 * Bytes that sockets read lie outside V8's heap. By itself V8 collects all garbage for each 64 MiB of them, which under
 * large bodies is several times a second, up to 12 ms each; with the flag they count like its heap. Measured while 10,000
 * bodies of 64 KiB a minute were refused (`npm run torture -- attack --only="10,000 refused"`).
 */
export function collectGarbageEvenly(): void {
  if (Number.parseInt(process.versions.v8, 10) < firstV8) return;
  setFlagsFromString("--external-memory-accounted-in-global-limit");
}
