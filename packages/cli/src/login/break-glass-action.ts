/** Action of `titian break-glass`. */
import { formatTimestamp } from "@titian/contract";
import { openBreakGlass } from "@titian/server/admin";
import { openUrl } from "../database/open-url.ts";
import { operatorsMount } from "../control/service.ts";
import { keepSession } from "../control/session-file.ts";
import { print } from "../output.ts";
import "../program-name.ts";

export interface BreakGlassFlags {
  readonly as: string;
  readonly reason: string;
  readonly ticket: string;
}

export async function breakGlass({ as: operator, reason, ticket }: BreakGlassFlags): Promise<void> {
  // Before a session is open that no command could use.
  const { serviceUrl } = operatorsMount({ session: false });
  const opened = await openBreakGlass(openUrl(), { operator, reason, ticket });
  keepSession(serviceUrl, opened.secret);
  print(
    `A session of ${opened.name} is open until ${formatTimestamp(opened.expiresAt)}: it proposes, and approves nothing.`,
  );
  print(`An approver decides within the day on the act ${opened.actId}. titian logout ends the session.`);
}
