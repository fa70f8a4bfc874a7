/** `titian listen`: receives a partner's notifications on this machine. */
import type { Command } from "commander";
import type { End } from "../cli-error.ts";
import type { ListenFlags } from "./run-listen.ts";

const help = `
The listener is the partner's notification address while it runs. Ctrl-C restores the address from before; a second
Ctrl-C quits at once. After a listener that was killed, the next one restores the address from before that one.

Notifications are signed over the path. The listener's address has the path of --forward-to, and what is forwarded has the
same path, headers and bytes: it verifies in your program as it will in production. Its reply goes back unchanged. While
your program is down the service gets a 502, and repeats the notification.

Exit codes: 0 stopped · 1 no sandbox, or the address could not be restored · 2 invalid command line.

Examples:
  titian listen
  titian listen --forward-to http://localhost:3000/hooks
  titian listen --save /tmp/hooks
  titian listen --partner beta --json | jq -c '[.status, .referenceNo, .reply.responseCode]'`;

export function addListen(program: Command, end: End): void {
  program
    .command("listen")
    .summary("receive a partner's notifications on this machine, and forward them to your program")
    .description(
      "Receives the notifications (21, 75, 76) of a partner of the sandbox on this machine, verifies and shows each one, and\nforwards it to your program, or accepts it itself.",
    )
    .option("--forward-to <url>", "base URL of your receiver, such as http://localhost:3000/hooks")
    .option("--partner <id>", "whose notifications (default: the first partner of the file)")
    .option("--save <directory>", "also write each one there, body and headers, and print how to verify it")
    .option("--port <n>", "where to listen on 127.0.0.1; 0: a free port", "0")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .option("--json", "a JSON object for each notification, one a line")
    .addHelpText("after", help)
    .action(async (flags: ListenFlags) => {
      const { listen } = await import("./run-listen.ts");
      end(await listen(flags));
    });
}
