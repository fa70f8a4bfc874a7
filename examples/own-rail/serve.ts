/**
 * The sandbox, embedded in a program that connects a rail of its own. Settings are those of `titian serve`. In production
 * it is `startService` of `@titian/server`, called alike.
 *
 *   npx node --conditions=source examples/own-rail/serve.ts http://127.0.0.1:7000
 */
import { once } from "node:events";
import { startSandbox } from "@titian/sandbox";
import { createLog, loadConfig } from "@titian/server";
import { createGatewayRail } from "./gateway-rail.ts";

const gateway = process.argv[2] ?? "http://127.0.0.1:7000";
const asked = Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);

const interbank = createGatewayRail("interbank", gateway);
const config = loadConfig();
const log = createLog({ level: config.logLevel });
// The rails that are not given are simulated.
const service = await startSandbox({ config, log, onProgress: console.log, rails: { interbank } });
console.log(`  Service  ${service.baseUrl}\n  Gateway  ${gateway}`);

const ended = await Promise.race([asked, service.failed]);
// First the service: it still asks the rail about what is under way.
await service.close();
await interbank.close();
if (ended instanceof Error) throw ended;
