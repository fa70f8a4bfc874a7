/** Action of `titian listen`. */
import { once } from "node:events";
import { type Clock, createClock, isHttpUrl } from "@titian/server/admin";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import type { CallRow } from "../control/call-row.ts";
import { callsOf } from "../control/http.ts";
import { choosePartner, readSandboxFile, requireSandbox, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { stopOnSignal } from "../stop-on-signal.ts";
import { jsonLine } from "../tables/plain.ts";
import { createAnswerHere } from "./answer-here.ts";
import { borrowAddress, type BorrowedAddress } from "./borrowed-address.ts";
import { createCopies } from "./copies.ts";
import { createForwarder } from "./forward.ts";
import type { Exchange, Incoming } from "./incoming.ts";
import { startListenServer } from "./listen-server.ts";
import { watchOutcome } from "./outcome.ts";
import { type Provider, providerOf } from "./provider.ts";
import { readNotification, tokenService } from "./read-notification.ts";
import { formatReport, type Report, toJson } from "./report.ts";
import { createSave, type Save } from "./save.ts";
import { verify } from "./verify.ts";

export interface ListenFlags {
  readonly forwardTo?: string;
  readonly partner?: string;
  readonly save?: string;
  readonly port: string;
  readonly sandboxFile?: string;
  readonly json?: true;
}

export async function listen(flags: ListenFlags): Promise<ExitCode> {
  requireSandbox("titian listen", flags.sandboxFile);
  const target = flags.forwardTo === undefined ? undefined : readTarget(flags.forwardTo);
  const port = readPort(flags.port, target);
  const sandboxFile = sandboxFilePath(flags.sandboxFile);
  const sandbox = readSandboxFile(sandboxFile);
  const partner = choosePartner(sandbox, flags.partner);
  const provider = providerOf(sandbox, partner);
  const { partnerId } = partner;
  const call = callsOf(() => readSandboxFile(sandboxFile));
  const clock = createClock();
  const save = flags.save === undefined ? undefined : createSave(flags.save, provider);
  const reports = createReports({ call, clock, provider, save, asJson: flags.json === true });

  const stop = stopOnSignal(["SIGINT", "SIGTERM", "SIGHUP"]);
  const answer = target === undefined ? createAnswerHere(provider) : createForwarder(target.origin);
  const server = await startListenServer({ port, partnerId, clock, answer, onIncoming: reports.onIncoming });
  // The path is signed: with that of the target what is forwarded verifies there as it is.
  const address = target === undefined ? server.origin : `${server.origin}${target.pathname}${target.search}`;
  const borrowed = await borrowAddress({ call, sandboxFile, partnerId, address });
  if (flags.json === true) print(jsonLine({ event: "listening", partnerId, address, forwardTo: target?.href ?? null }));
  else announce(partnerId, address, target);

  if (!stop.signal.aborted) await once(stop.signal, "abort");
  const isRestored = await restore(borrowed, partnerId);
  await server.close();
  await reports.ended();
  return isRestored ? exitCodes.done : exitCodes.failed;
}

interface ReportsDeps {
  readonly call: CallRow;
  readonly clock: Clock;
  readonly provider: Provider;
  readonly save: Save | undefined;
  readonly asJson: boolean;
}

/** Each exchange is printed as a whole, when the sandbox has said what became of it. */
function createReports({ call, clock, provider, save, asJson }: ReportsDeps) {
  const copyOf = createCopies();
  const underWay = new Set<Promise<void>>();
  const onIncoming = (incoming: Incoming) => {
    const content = readNotification(incoming);
    const isToken = content.serviceCode === tokenService;
    const verification = verify(incoming, provider, isToken);
    // A notification that does not verify, or is another partner's, is no copy of anything.
    const copy = isToken || !verification.verified ? undefined : copyOf(incoming, content);
    const saved = isToken ? undefined : save?.(incoming, verification.mode);
    const known = { content, copy, verification, saved };
    const askOutcome = watchOutcome({ call, clock }, content);
    const report = async (exchange: Exchange) => {
      const whole: Report = { ...known, exchange, outcome: await askOutcome() };
      print(asJson ? jsonLine(toJson(whole)) : formatReport(whole));
    };
    return (exchange: Exchange) => {
      const reporting = report(exchange).finally(() => underWay.delete(reporting));
      underWay.add(reporting);
    };
  };
  return { onIncoming, ended: async () => void (await Promise.all(underWay)) };
}

function announce(partnerId: string, address: string, target: URL | undefined): void {
  note(`Listening for the notifications of ${partnerId} at ${address}`);
  note(
    target === undefined
      ? "They are accepted here; --forward-to sends them to your program."
      : `Forwarding to ${target.href}`,
  );
  note(`\`titian trigger rtgs-settled\` in another terminal makes one. Stop with Ctrl-C.\n`);
}

/** Restores the address, unless another one was set meanwhile; true when the sandbox has the one it had before. */
async function restore(borrowed: BorrowedAddress, partnerId: string): Promise<boolean> {
  try {
    const registered = await borrowed.restore();
    const isOther = registered !== borrowed.before;
    const what = isOther ? "was changed meanwhile, and stays" : "is again";
    note(`\nStopped. The notification address of ${partnerId} ${what} ${registered ?? "none"}.`);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    note(`\nStopped, but the notification address of ${partnerId} could not be restored: ${why}`);
    note("The next `titian listen` restores it when it stops.");
    return false;
  }
}

/** @throws CliError */
function readTarget(text: string): URL {
  if (isHttpUrl(text)) return new URL(text);
  const hint = isHttpUrl(`http://${text}`) ? ` Did you mean http://${text}?` : "";
  throw usageError(`--forward-to ${text} is not an http or https URL without credentials or fragment.${hint}`);
}

const portMax = 65_535;
const loopback: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** @throws CliError */
function readPort(text: string, target: URL | undefined): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= portMax)) throw usageError(`--port ${text} is not a port number from 0 to ${portMax}.`);
  if (port !== 0 && target !== undefined && loopback.includes(target.hostname) && target.port === String(port)) {
    throw usageError(`--port ${port} is the port of --forward-to: your program listens there. Leave --port out.`);
  }
  return port;
}
