/** PostgreSQL's tree of a statement as it keeps it of a function's body, and what a distributed engine (Citus) rejects in it. */

export interface TreeNode {
  readonly type: string;
  readonly fields: Readonly<Record<string, Tree>>;
}
type Tree = TreeNode | readonly Tree[] | string;

/** Reads `{QUERY :commandType 2 … ({…} {…})}`. */
export function readTree(text: string): Tree {
  const words = [...text.matchAll(/[{}()]|(?:\\.|[^\s{}()])+/g)].map(([word]) => word);
  let at = 0;
  const readOne = (): Tree => {
    const word = words[(at += 1) - 1] ?? "";
    if (word === "(") return readUntil(")");
    if (word !== "{") return word;
    const [type = "", ...rest] = readUntil("}");
    const fields: Record<string, Tree> = {};
    for (const [position, part] of rest.entries())
      if (typeof part === "string" && part.startsWith(":")) fields[part.slice(1)] = rest[position + 1] ?? "";
    return { type: String(type), fields };
  };
  const readUntil = (end: string): readonly Tree[] => {
    const parts: Tree[] = [];
    while (at < words.length && words[at] !== end) parts.push(readOne());
    at += 1;
    return parts;
  };
  return readOne();
}

export interface Catalogue {
  /** By the oid of a function: `i`, `s` or `v`, and its name. */
  readonly functions: ReadonlyMap<string, { readonly volatility: string; readonly name: string }>;
  /** By the oid of a type: the functions that make a text of it, and it of a text. */
  readonly types: ReadonlyMap<string, { readonly output: string; readonly input: string }>;
}

/** Faults of each update, delete and conflict of a statement, as texts. */
export function findRejected(tree: Tree, { functions, types }: Catalogue): readonly string[] {
  const oidsOf = ({ type, fields }: TreeNode): readonly string[] => {
    if (type !== "COERCEVIAIO") return [fields["funcid"], fields["opfuncid"]].filter((oid) => typeof oid === "string");
    const from = types.get(typeOf(fields["arg"]))?.output;
    const to = types.get(String(fields["resulttype"]))?.input;
    return [from ?? "", to ?? ""];
  };
  const mutableIn = (node: TreeNode, kinds = "sv"): readonly string[] => {
    if (node.type === "SQLVALUEFUNCTION") return kinds.includes("s") ? ["current_timestamp or the like"] : [];
    return oidsOf(node).flatMap((oid) => {
      const found = functions.get(oid);
      return found && kinds.includes(found.volatility) ? [found.name] : [];
    });
  };
  const allMutable = (part: Tree | undefined, kinds = "sv") => nodesOf(part).flatMap((node) => mutableIn(node, kinds));
  /** STABLE ones of a column, and any in CASE and COALESCE; sub-selects are judged by themselves. */
  const irreducible = (part: Tree | undefined): readonly string[] =>
    nodesOf(part, false).flatMap((node) => {
      if (node.type === "CASEEXPR" || node.type === "COALESCEEXPR") return allMutable(node);
      return nodesOf(node, false).some(({ type }) => type === "VAR") ? mutableIn(node) : [];
    });

  return nodesOf(tree).flatMap(({ type, fields }) => {
    if (type !== "QUERY") return [];
    const { commandType, targetList, jointree, returningList, onConflict, cteList, rtable } = fields;
    const isChange = commandType === "2" || commandType === "4";
    const conflict = (isNode(onConflict) && onConflict.fields) || {};
    const found = {
      VOLATILE: isChange ? [targetList, jointree, cteList, rtable].flatMap((part) => allMutable(part, "v")) : [],
      SET: commandType === "2" ? irreducible(targetList) : [],
      WHERE: isChange ? irreducible(jointree) : [],
      "DO UPDATE": ["onConflictSet", "onConflictWhere", "arbiterWhere"].flatMap((name) => allMutable(conflict[name])),
      RETURNING: allMutable(returningList),
    };
    return Object.entries(found).flatMap(([clause, names]) =>
      [...new Set(names)].map((name) => `${name} in ${clause}`),
    );
  });
}

const isNode = (part: Tree | undefined): part is TreeNode => typeof part === "object" && "type" in part;

/** The nodes of a part, itself among them. */
function nodesOf(part: Tree | undefined, withQueries = true): readonly TreeNode[] {
  if (part === undefined || typeof part === "string") return [];
  if (!isNode(part)) return part.flatMap((one) => nodesOf(one, withQueries));
  if (part.type === "QUERY" && !withQueries) return [];
  return [part, ...Object.values(part.fields).flatMap((one) => nodesOf(one, withQueries))];
}

/** The oid of an expression's type. */
function typeOf(part: Tree | undefined): string {
  if (!isNode(part)) return "";
  const name = Object.keys(part.fields).find(
    (field) => /^(?:\w+type|minmaxtype)$/.test(field) && !field.startsWith("input"),
  );
  return name === undefined ? "" : String(part.fields[name]);
}
