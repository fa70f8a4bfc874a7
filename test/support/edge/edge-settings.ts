import type { EdgeSettings } from "../../../packages/server/src/edge/create-edge.ts";

/** The usual ones of an edge that a test or a bench starts without a service. */
export const edgeSettings: EdgeSettings = {
  paths: { prefixes: [""], versions: ["v1.0"] },
  bodyLimit: 65_536,
  bulkBodyLimit: 8_388_608,
  timestampWindowMs: 300_000,
  externalIdDigitsOnly: false,
  trustedProxies: [],
  host: "127.0.0.1",
  hosts: [],
  sandbox: false,
  lookUpsAlert: 5_000,
};
