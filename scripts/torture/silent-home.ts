/**
 * `npm run torture -- silent-home`: 16 callers over HTTP of a partner that has a further cell alone, while home is served for 60 s, is away for
 * 60 s, and is served again. No call of theirs within the cell may fail, and no access token; calls that need home (of partners of home or of both
 * cells, and from the cell to home) are answered 503 with `Retry-After` and nothing taken, and with success when they are sent again; afterwards
 * what was accepted stands in both, to the cent. Latencies and their ratio are printed.
 * `npm run torture -- silent-home --seconds=20 --callers=8 --seed=7`.
 */
import { silentHomeRounds } from "../../test/torture/cells/silent-home-rounds.ts";
import { runOutage } from "./outage.ts";

await runOutage("silent-home", "home", silentHomeRounds, "the cell went on, and all that was accepted is there");
