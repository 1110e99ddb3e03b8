import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded on first use: `npm test` begins before packages are installed. */
let ts;

/**
 * The lines in which the functions of a TypeScript module start, by the names that V8 gives them. Functions without a name
 * count with the named one around them, or for themselves with ''.
 * @param {string} text
 * @returns {Map<string, readonly number[]>}
 */
export function functionLines(text) {
  ts ??= require('typescript');
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const lines = new Map();
  const visit = (node, around) => {
    let name = around;
    if (ts.isFunctionLike(node) && node.body) {
      name = nameOf(node) || around;
      lines.set(name, [...(lines.get(name) ?? []), lineOfFunction(node, source)]);
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(source, '');
  return lines;
}

/** The line where V8 sees it start: methods at their names, functions at `async` or `function`, behind `export`. */
export function lineOfFunction(node, source) {
  ts ??= require('typescript');
  return source.getLineAndCharacterOfPosition(startOf(node)).line + 1;
}

function startOf(node) {
  if (ts.isFunctionDeclaration(node)) {
    const skipped = [ts.SyntaxKind.ExportKeyword, ts.SyntaxKind.DefaultKeyword];
    const modifier = node.modifiers?.find(({ kind }) => !skipped.includes(kind));
    if (modifier) return modifier.getStart();
    // Behind comments and `export`.
    const keyword = node.getChildren().find(({ kind }) => kind === ts.SyntaxKind.FunctionKeyword);
    return (keyword ?? node).getStart();
  }
  return ts.isMethodDeclaration(node) || ts.isAccessor(node) ? node.name.getStart() : node.getStart();
}

function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  if (node.name) return node.name.text;
  const { parent } = node;
  if (ts.isBinaryExpression(parent))
    return parent.right === node && ts.isIdentifier(parent.left) ? parent.left.text : undefined;
  const isNamed =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  return isNamed ? parent.name.text : undefined;
}
