/** Figures that the documents and the register say, each sentence with what owns it. */
import type { Figure } from "./figure.ts";
import { figuresOfGuides } from "./guides.ts";
import { figuresOfReference } from "./reference.ts";
import { figuresOfRules } from "./rules.ts";

export const figureTable: readonly Figure[] = [...figuresOfRules, ...figuresOfGuides, ...figuresOfReference];
