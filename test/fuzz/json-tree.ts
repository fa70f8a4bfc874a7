/** JSON that may be spoiled: keys twice, texts that are no JSON, in any order. */

export type Tree =
  /** Written as it stands, whether it is JSON or not. */
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "list"; readonly items: Tree[] }
  | { readonly kind: "object"; readonly members: Member[] };

export interface Member {
  /** With its quotes. */
  key: string;
  value: Tree;
}

export const raw = (text: string): Tree => ({ kind: "raw", text });

export function toTree(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: "list", items: value.map(toTree) };
  if (typeof value !== "object" || value === null) return raw(JSON.stringify(value));
  const members = Object.entries(value).map(([key, member]) => ({ key: JSON.stringify(key), value: toTree(member) }));
  return { kind: "object", members };
}

/** With `space`, white space stands wherever JSON allows it. */
export function toText(tree: Tree, space = ""): string {
  if (tree.kind === "raw") return tree.text;
  if (tree.kind === "list")
    return `[${space}${tree.items.map((item) => toText(item, space)).join(`,${space}`)}${space}]`;
  const members = tree.members.map(({ key, value }) => `${key}${space}:${space}${toText(value, space)}`);
  return `{${space}${members.join(`,${space}`)}${space}}`;
}

/** The objects of a tree, itself first. */
export function objectsOf(tree: Tree): readonly Extract<Tree, { kind: "object" }>[] {
  if (tree.kind === "raw") return [];
  const inner = tree.kind === "list" ? tree.items : tree.members.map(({ value }) => value);
  const found = inner.flatMap(objectsOf);
  return tree.kind === "object" ? [tree, ...found] : found;
}
