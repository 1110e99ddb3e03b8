// String literals in source code, to find untranslated words.
import ts from 'typescript';

const choosing = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

/** The literals that an expression may evaluate to, or contains. */
export function literalsIn(node) {
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsIn);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(literalsIn);
  if (ts.isBinaryExpression(node)) {
    return choosing.has(node.operatorToken.kind) ? [node.left, node.right].flatMap(literalsIn) : [];
  }
  return literalParts(node).length > 0 ? [node] : [];
}

/** Anywhere: names in code contain no capital followed by another word. */
export function isSentence(node) {
  // Compared codes and member names are not displayed.
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return false;
  if (ts.isBinaryExpression(node.parent) && !choosing.has(node.parent.operatorToken.kind)) return false;
  const [start = '', ...others] = literalParts(node);
  return /^\p{Lu}\p{Ll}+,? \p{L}/u.test(start) || (others.length > 0 && /^\p{Lu}\p{Ll}+ $/u.test(start));
}

/** The text pieces of a literal; empty for other nodes. */
export function literalParts(node) {
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map((span) => span.literal)].map(({ text }) => text);
  return ts.isStringLiteralLike(node) ? [node.text] : [];
}
