/** One transaction a transfer, in process, on a pool of 20 connections. */
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createNaivePath } from "../naive/naive-path.ts";
import { benchReference } from "../command-terms.ts";
import { serveWindows } from "./serve-windows.ts";
import { type LedgerSettings, prepareCommands } from "./command-windows.ts";

serveWindows<LedgerSettings>((settings) => {
  const naive = createNaivePath(settings.url, createClock(), benchReference);
  return Promise.resolve(prepareCommands(settings, (command) => naive.submit(command)));
});
