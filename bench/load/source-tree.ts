/** Source trees of the service: this one, and another one that it is compared with. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { addPartner, productionSettings } from "../../test/support/black-box/production-partner.ts";
import { migrateForServices } from "../../test/support/database/template.ts";
import { openAccounts } from "../database/open-accounts.ts";
import { auditDatabase } from "../subjects/audit-database.ts";

const ownTree = {
  migrateForServices,
  openAccounts,
  addPartner,
  productionSettings,
  auditDatabase,
  nodeScript: new URL("./serve-node.ts", import.meta.url),
};

export type SourceTree = typeof ownTree;

/** Functions of the tree at a path, or of this one: its schema, commands, service and audit. Load and clocks are always this one's. */
export async function loadSourceTree(path: string | undefined): Promise<SourceTree> {
  if (path === undefined) return ownTree;
  const urlOf = (file: string) => new URL(file, `${pathToFileURL(resolve(path)).href}/`);
  // Its modules are those of another commit, with the same names.
  const load = async (file: string) => (await import(urlOf(file).href)) as SourceTree;
  const { addPartner: add, productionSettings: settings } = await load("test/support/black-box/production-partner.ts");
  return {
    migrateForServices: (await load("test/support/database/template.ts")).migrateForServices,
    openAccounts: (await load("bench/database/open-accounts.ts")).openAccounts,
    addPartner: add,
    productionSettings: settings,
    auditDatabase: (await load("bench/subjects/audit-database.ts")).auditDatabase,
    nodeScript: urlOf("bench/load/serve-node.ts"),
  };
}
