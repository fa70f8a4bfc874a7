/** The data about rails that comes with the service, for tests that need some. */
import { loadRailData } from "../../packages/server/src/admin/rail-data/rail-data.ts";
import type { RailData } from "../../packages/server/src/ledger/rails/terms.ts";

export const rails: RailData = loadRailData({ ownBankCode: "999" });
