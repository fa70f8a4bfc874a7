/** A racing node in a process of its own, forked by `race-node.ts`. */
import { serveParent } from "../../support/child-node.ts";
import { serveRaceNode } from "./race-node.ts";

serveParent(serveRaceNode);
