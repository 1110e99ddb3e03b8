// What the webviews say: the texts of `t('…')` and `tParts('…')`, and words that nobody could translate.
import ts from 'typescript';

const readAttributes = 'title|placeholder|alt|label|aria-label|aria-description|aria-valuetext|aria-roledescription';
/** An attribute that a template gives its value to, and one whose value is written out. */
const openAttribute = new RegExp(`\\s(${readAttributes})="?$`);
const plainAttribute = new RegExp(`\\s(${readAttributes})="([^"\\0]*)"`, 'g');
/** Members whose words a person reads. */
const readMember =
  /^(label|title|placeholder|hint|doubt|detail|verb|intro|outro|text|summary|message|announcement|disabled)$/;
/** Functions that show or speak their first argument. */
const speaking =
  /(^|\.)(button|textField|textArea|checkbox|dropdown|combobox|sqlField|virtualList|unseen|fail|announce)$/;
const choosing = new Set([
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

/**
 * @param {ts.SourceFile} source of `webview/src`, with parents.
 * @returns {{ messages: readonly string[], problems: readonly { node: ts.Node, what: string }[] }}
 */
export function webviewTexts(source) {
  const messages = [];
  /** A text may be found in two ways: it is reported once. */
  const problems = new Map();
  const report = (node, text = node.getText(source)) =>
    problems.set(`${node.pos} ${text}`, { node, what: `${text} is not translatable.` });

  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(source);
      const [first, ...others] = node.arguments;
      if (callee === 't' || callee === 'tParts') {
        if (first && ts.isStringLiteralLike(first)) messages.push(first.text);
        else problems.set(node, { node, what: `${callee} needs a text that is written out.` });
        others.forEach(visit);
        return;
      }
      if (first && speaking.test(callee)) wordsIn(first).forEach((words) => report(words));
    }
    if (ts.isTaggedTemplateExpression(node) && /^(html|svg)$/.test(node.tag.getText(source))) template(node.template);
    if (ts.isPropertyAssignment(node) && readMember.test(node.name.getText(source))) {
      wordsIn(node.initializer).forEach((words) => report(words));
    }
    if (isSentence(node)) report(node);
    ts.forEachChild(node, visit);
  };

  /** The words between its tags and in attributes, and those that expressions put there. */
  const template = (literal) => {
    const spans = ts.isTemplateExpression(literal) ? literal.templateSpans : [];
    let markup = ts.isTemplateExpression(literal) ? literal.head.text : literal.text;
    for (const span of spans) {
      const inTag = markup.lastIndexOf('<') > markup.lastIndexOf('>');
      if (!inTag || openAttribute.test(markup)) wordsIn(span.expression).forEach((words) => report(words));
      markup += `\0${span.literal.text}`;
    }
    const shown = markup.replaceAll(/<[^>]*>/g, '\0').split('\0');
    const attributes = [...markup.matchAll(plainAttribute)].map(([, , value]) => value);
    for (const text of [...shown, ...attributes]) if (hasWords(text)) report(literal, text.trim());
  };

  ts.forEachChild(source, visit);
  return { messages, problems: [...problems.values()] };
}

/** The texts with words that an expression may be. */
function wordsIn(node) {
  if (ts.isParenthesizedExpression(node)) return wordsIn(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(wordsIn);
  if (ts.isBinaryExpression(node)) {
    return choosing.has(node.operatorToken.kind) ? [node.left, node.right].flatMap(wordsIn) : [];
  }
  const parts = literalParts(node);
  // An example of SQL.
  if (parts.some((text) => text.includes(' = '))) return [];
  return parts.some(hasWords) ? [node] : [];
}

/** Signs, units, paths and what databases call things, such as `NULL`, are the same in every language. */
function hasWords(text) {
  return /\p{Ll}{2}/u.test(text) && !text.startsWith('/');
}

/** Wherever it stands: names in code have no capital and then a further word. */
function isSentence(node) {
  // A code that is compared, or that names a member, is no text.
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return false;
  if (ts.isBinaryExpression(node.parent) && !choosing.has(node.parent.operatorToken.kind)) return false;
  const [start = '', ...others] = literalParts(node);
  return /^\p{Lu}\p{Ll}+,? \p{L}/u.test(start) || (others.length > 0 && /^\p{Lu}\p{Ll}+ $/u.test(start));
}

/** The pieces of a literal between its expressions; none of another node. */
function literalParts(node) {
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map((span) => span.literal)].map(({ text }) => text);
  return ts.isStringLiteralLike(node) ? [node.text] : [];
}
