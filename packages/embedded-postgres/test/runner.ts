/** A process that runs the server of the data directory given, and stays until it is killed. */
import { startEmbeddedPostgres } from "../src/start-embedded-postgres.ts";
import { small } from "./scratch.ts";

const [, , dataDir] = process.argv;
if (dataDir === undefined) throw new Error("give the data directory");
const { url, pid } = await startEmbeddedPostgres({ ...small, dataDir, placement: "dataDir" });
console.log(JSON.stringify({ url, pid }));
setInterval(() => {}, 60_000);
