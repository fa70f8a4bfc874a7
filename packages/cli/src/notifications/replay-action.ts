/** Action of `titian notification replay`. */
import { parseTimestamp } from "@titian/contract";
import {
  cellOfId,
  type Core,
  countReplay,
  fromReferenceNo,
  isHttpUrl,
  noReplayTexts,
  type ReplayInput,
  replayNotifications,
} from "@titian/server/admin";
import { chosenCell } from "../chosen-cell.ts";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import { print } from "../output.ts";
import { readNumber } from "../options/number.ts";
import { partnerOf, withCore } from "../with-core.ts";
import { numberOfOurs } from "./notification-actions.ts";

export interface ReplayFlags {
  readonly reference?: string;
  readonly from?: string;
  readonly to?: string;
  readonly dead?: true;
  readonly partner?: string;
  readonly url?: string;
  readonly yes?: true;
}

export function replay(flags: ReplayFlags): Promise<ExitCode> {
  const input = readInput(flags);
  return withCore(
    (core) => sendAgain(core, input, flags),
    (home) => cellOfNumber(home, input),
  );
}

async function sendAgain(core: Core, input: ReplayInput, flags: ReplayFlags): Promise<ExitCode> {
  const partner = flags.partner === undefined ? undefined : partnerOf(core, flags.partner);
  const { pool: reads, adminPool: database, clock, reference } = core;
  const deps = { reads, database, clock, byPartnerId: (partnerId: string) => reference.byPartnerId(partnerId) };
  const networks = partner && reference.endpoints().get(partner.key)?.networks;
  const forbidden = input.url === undefined ? undefined : await core.checkAddress(input.url, networks);
  if (forbidden !== undefined) throw new CliError(`No notification would be sent to --url: ${forbidden}.`);
  const { replayed: count, reason } = await countReplay(deps, input);
  if (reason !== undefined) {
    print(`Nothing is sent again. ${noReplayTexts[reason]}`);
    return exitCodes.done;
  }
  const where = input.url === undefined ? "" : ` to ${input.url}`;
  if (!flags.yes && !(await confirm(`Notifications: ${count}. Send them again${where}?`))) {
    throw new CliError("Nothing is sent again. Answer yes, or give --yes, to send them.");
  }
  const { replayed } = await replayNotifications(deps, input);
  print(`Notifications that the running nodes send again: ${replayed}. titian notification list --state waiting`);
  return exitCodes.done;
}

/** A number of ours leads to the cell that has its notifications. */
function cellOfNumber({ reference }: Core, { referenceNo = "" }: ReplayInput): number {
  const id = fromReferenceNo(referenceNo);
  return id === undefined ? chosenCell() : cellOfId(id, reference.current().directory);
}

function readInput({ reference, from, to, dead, partner, url }: ReplayFlags): ReplayInput {
  if (reference === undefined && from === undefined && to === undefined && !dead) {
    throw usageError("Say which: --reference, --from, --to or --dead.");
  }
  if (url !== undefined && !isHttpUrl(url)) {
    throw usageError(`--url ${url} is not an http or https URL without credentials or fragment.`);
  }
  // One partner's results are not for another.
  if (url !== undefined && reference === undefined && partner === undefined) {
    throw usageError("--url needs --partner or --reference: an address receives one partner's notifications.");
  }
  return {
    partnerId: partner,
    referenceNo: readNumber("--reference", reference, numberOfOurs),
    from: readTime("--from", from),
    to: readTime("--to", to),
    dead: dead === true,
    url,
  };
}

function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  throw usageError(`${option} ${text} is not a time such as 2026-11-21T10:00:00+07:00.`);
}
