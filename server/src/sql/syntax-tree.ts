/** A syntax tree of libpg-query: objects, lists and values; each node is an object with its kind as the only key. */
export type SyntaxTree = string | number | boolean | null | readonly SyntaxTree[] | SyntaxNode;

export interface SyntaxNode {
  readonly [key: string]: SyntaxTree | undefined;
}

/** The fields of a node of this kind; undefined for other values. */
export function asNode(tree: SyntaxTree | undefined, kind: string): SyntaxNode | undefined {
  const fields = isNode(tree) ? tree[kind] : undefined;
  return isNode(fields) ? fields : undefined;
}

export function isNode(tree: SyntaxTree | undefined): tree is SyntaxNode {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree);
}

export function listOf(tree: SyntaxTree | undefined): readonly SyntaxTree[] {
  return Array.isArray(tree) ? (tree as readonly SyntaxTree[]) : [];
}

export function textOf(tree: SyntaxTree | undefined): string | undefined {
  return typeof tree === 'string' ? tree : undefined;
}

/** The texts of a list of `String` nodes; other nodes are skipped. */
export function namesIn(tree: SyntaxTree | undefined): readonly string[] {
  return listOf(tree).flatMap((each) => textOf(asNode(each, 'String')?.['sval']) ?? []);
}
