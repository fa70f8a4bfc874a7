/** All lists of a node in production. */
import { Page } from "../../design/page.tsx";
import { shell } from "../../texts/shell.ts";
import { WorldTiles } from "./world-tiles.tsx";

export function RecordsPage() {
  return (
    <Page title={shell().records}>
      <WorldTiles label={shell().records} />
    </Page>
  );
}
