/** Two nodes on a database of the test file's own: what one does, the other has to see. */
import { after } from "node:test";
import { startNode, type TestNode } from "./administration.ts";
import { useDatabase } from "./database/database.ts";

/** Both are closed after the file's last test, and the database dropped. */
export async function useTwoNodes(): Promise<{
  readonly node: TestNode;
  readonly other: TestNode;
  readonly ownerUrl: string;
}> {
  const { url, ownerUrl, drop } = await useDatabase();
  const [node, other] = [await startNode(url), await startNode(url)];
  after(async () => {
    await node.close();
    await other.close();
    await drop();
  });
  return { node, other, ownerUrl };
}
