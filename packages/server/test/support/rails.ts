/** The data about rails that comes with the service, for tests that need some. */
import { loadRailData } from "../../src/admin/rail-data/rail-data.ts";

export const rails = loadRailData({ ownBankCode: "999" });
