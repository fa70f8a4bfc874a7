/** Run by node's test runner (`--test-global-setup`) before the first test file and after the last. */
import { clusterUrlVariable } from "./shared-cluster.ts";
import { createTemplate } from "./template.ts";
import { startTestCluster, type TestCluster } from "./test-cluster.ts";

let cluster: TestCluster | undefined;

export async function globalSetup(): Promise<void> {
  cluster = await startTestCluster();
  try {
    await createTemplate(cluster.postgres.url);
  } catch (error) {
    await cluster.remove();
    throw error;
  }
  // The processes of the test files are started after this, and inherit it.
  process.env[clusterUrlVariable] = cluster.postgres.url;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.remove();
}
