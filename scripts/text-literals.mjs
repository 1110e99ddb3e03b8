// Texts in source code, for those who look for words that nobody could translate.
import ts from 'typescript';

const choosing = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

/** The literals that an expression may be, or hold. */
export function literalsIn(node) {
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsIn);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(literalsIn);
  if (ts.isBinaryExpression(node)) {
    return choosing.has(node.operatorToken.kind) ? [node.left, node.right].flatMap(literalsIn) : [];
  }
  return literalParts(node).length > 0 ? [node] : [];
}

/** Wherever it stands: names in code have no capital and then a further word. */
export function isSentence(node) {
  // A code that is compared, or that names a member, is no text.
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return false;
  if (ts.isBinaryExpression(node.parent) && !choosing.has(node.parent.operatorToken.kind)) return false;
  const [start = '', ...others] = literalParts(node);
  return /^\p{Lu}\p{Ll}+,? \p{L}/u.test(start) || (others.length > 0 && /^\p{Lu}\p{Ll}+ $/u.test(start));
}

/** The pieces of a literal between its expressions; none of another node. */
export function literalParts(node) {
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map((span) => span.literal)].map(({ text }) => text);
  return ts.isStringLiteralLike(node) ? [node.text] : [];
}
