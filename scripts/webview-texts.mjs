// Webview texts: those in `t('…')` and `tParts('…')`, and untranslated words.
import ts from 'typescript';
import { isSentence, literalParts, literalsIn } from './text-literals.mjs';

const readAttributes = 'title|placeholder|alt|label|aria-label|aria-description|aria-valuetext|aria-roledescription';
/** Attributes set by a template expression, and attributes with a literal value. */
const openAttribute = new RegExp(`\\s(${readAttributes})="?$`);
const plainAttribute = new RegExp(`\\s(${readAttributes})="([^"\\0]*)"`, 'g');
/** Displayed members. */
const readMember =
  /^(label|title|placeholder|hint|doubt|detail|verb|intro|outro|text|summary|message|announcement|disabled)$/;
/** Functions that display or announce their first argument. */
const speaking =
  /(^|\.)(button|textField|textArea|checkbox|dropdown|combobox|sqlField|virtualList|unseen|fail|announce)$/;
/**
 * @param {ts.SourceFile} source of `webview/src`, with parents.
 * @returns {{ messages: readonly string[], problems: readonly { node: ts.Node, what: string }[] }}
 */
export function webviewTexts(source) {
  const messages = [];
  /** A text may be found twice: it is reported once. */
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

  /** The words between tags and in attributes, and those of expressions. */
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

/** The string literals with words in an expression. */
function wordsIn(node) {
  return literalsIn(node).filter((literal) => {
    const parts = literalParts(literal);
    // An SQL example.
    return parts.some(hasWords) && !parts.some((text) => text.includes(' = '));
  });
}

/** Symbols, units, paths and database terms, such as `NULL`, need no translation. */
function hasWords(text) {
  return /\p{Ll}{2}/u.test(text) && !text.startsWith('/');
}
