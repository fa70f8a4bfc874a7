/** The cluster that all test files share. `npm test` starts it before those that need it; a file run alone starts its own. */
import { startTestCluster } from "./test-cluster.ts";
import { createTemplate } from "./template.ts";

/** Names the cluster to the processes of the test files. */
export const clusterUrlVariable = "TITIAN_TEST_CLUSTER_URL";

let ownCluster: Promise<string> | undefined;

/** The url of the shared cluster, which holds the migrated template. */
export function sharedClusterUrl(): Promise<string> {
  const given = process.env[clusterUrlVariable];
  if (given !== undefined) return Promise.resolve(given);
  ownCluster ??= startOwn();
  return ownCluster;
}

/** The server does not keep this process alive, and is removed when it exits. */
async function startOwn(): Promise<string> {
  const { postgres } = await startTestCluster();
  await createTemplate(postgres.url);
  return postgres.url;
}
