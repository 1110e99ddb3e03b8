// What the webviews say: the texts of `t('…')` and `tParts('…')`, and words that nobody could translate.
import ts from 'typescript';
import { isSentence, literalParts, literalsIn } from './text-literals.mjs';

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
  return literalsIn(node).filter((literal) => {
    const parts = literalParts(literal);
    // An example of SQL.
    return parts.some(hasWords) && !parts.some((text) => text.includes(' = '));
  });
}

/** Signs, units, paths and what databases call things, such as `NULL`, are the same in every language. */
function hasWords(text) {
  return /\p{Ll}{2}/u.test(text) && !text.startsWith('/');
}
