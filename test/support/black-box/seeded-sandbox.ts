/**
 * A sandbox that was started once: its keys, and its seeded database, of which those of the test files begin as copies. Making
 * the keys and seeding costs a quarter of a start.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { cloneTemplate, makeTemplate, roleUrlsOf } from "../database/template.ts";
import { createDataDir } from "./data-dir.ts";
import { startService } from "./service.ts";
import { addSplit, isSplit, splitSettings } from "./split-sandbox.ts";

/** Names the data directory to the processes of the test files. */
export const seededVariable = "TITIAN_TEST_SEEDED_SANDBOX";
const templateName = "titian_seeded_template";
const cellTemplateName = "titian_seeded_cell_template";
const keysFile = "sandbox-keys.json";

/** In the cluster that `url` leads to; answers the data directory, which is the caller's to remove. */
export async function seedSandbox(url: string): Promise<string> {
  const dataDir = createDataDir();
  const ownerUrl = await cloneTemplate(url);
  const cellUrl = isSplit ? await cloneTemplate(url) : undefined;
  const [urls, cell] = [roleUrlsOf(ownerUrl), cellUrl === undefined ? undefined : roleUrlsOf(cellUrl)];
  if (cell) await addSplit(urls, cell);
  const env = {
    DATABASE_URL: urls.url,
    TITIAN_ADMIN_DATABASE_URL: urls.administrationUrl,
    TITIAN_SANDBOX: "1",
    ...(cell && splitSettings(dataDir, cell)),
  };
  const service = await startService({ dataDir, env });
  const { code } = await service.end("SIGTERM");
  if (code !== 0) throw new Error(`the sandbox to copy ended with ${String(code)}:\n${service.output()}`);
  await makeTemplate(url, ownerUrl, templateName);
  if (cellUrl !== undefined) await makeTemplate(url, cellUrl, cellTemplateName);
  return dataDir;
}

interface Templates {
  readonly home: string;
  /** Where sandboxes are split. */
  readonly cell: string;
}

/** Gives a new data directory the keys of the seeded sandbox; answers the templates of its databases, if there are some. */
export function useSeeded(dataDir: string): Templates | undefined {
  const seeded = process.env[seededVariable];
  if (seeded === undefined) return undefined;
  copyFileSync(join(seeded, keysFile), join(dataDir, keysFile));
  return { home: templateName, cell: cellTemplateName };
}
