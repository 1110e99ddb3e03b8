// The texts of the client: those of `l10n.t('…')`, and words that cannot be translated.
import ts from 'typescript';
import { isSentence, literalParts, literalsIn } from './text-literals.mjs';

/** Calls whose string arguments are displayed: message and buttons. */
const speaking =
  /^((window\.)?show\w*Message|window\.(setStatusBarMessage|createInputBox)|\w*(queries|results|panel)\.(show|showFacts))$/;
/** Displayed members in the options of VS Code's dialogs and views. */
const readMember =
  /^(title|prompt|placeHolder|placeholder|openLabel|saveLabel|label|description|detail|tooltip|message|text|name)$/;
/** Said in one language on purpose: the log. */
const unspoken = new Set(['outcomeLines', 'graphLines']);
/** Texts that come from the server, where they are collected. */
const fromServer = new Set(['translated']);
/** Icons, references such as `${secret:NAME}`, and names that need no translation. */
const wordless = /\$\(\w[\w~-]*\)|\$\{[^}]*\}|Entity Graph|PostgreSQL|Parquet/g;

/**
 * @param {ts.SourceFile} source of `client/src`, with parents.
 * @returns {{ messages: readonly string[], problems: readonly { node: ts.Node, what: string }[] }}
 */
export function clientTexts(source) {
  const messages = [];
  /** A text may be found twice: it is reported once. */
  const problems = new Map();
  const report = (node) => problems.set(node, { node, what: `${node.getText(source)} is not translatable.` });

  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isFunctionDeclaration(node) && unspoken.has(node.name?.text ?? '')) return;
    if (ts.isFunctionDeclaration(node) && fromServer.has(node.name?.text ?? '')) return;
    // Errors thrown for bugs of the extension are for developers.
    if (ts.isNewExpression(node) && node.expression.getText(source) === 'Error') return;
    if (ts.isCallExpression(node)) {
      const callee = node.expression.getText(source).replaceAll(/\s/g, '');
      if (/^(parts\.)?log[.[]/.test(callee)) return;
      if (callee === 'l10n.t') {
        const [first, ...others] = node.arguments;
        if (first && ts.isStringLiteralLike(first)) messages.push(first.text);
        else problems.set(node, { node, what: 'l10n.t needs a text that is written out.' });
        others.forEach(visit);
        return;
      }
      if (speaking.test(callee)) node.arguments.flatMap(wordsIn).forEach(report);
    }
    if (ts.isPropertyAssignment(node) && readMember.test(node.name.getText(source))) {
      wordsIn(node.initializer).forEach(report);
    }
    if (isAssignment(node) && ts.isPropertyAccessExpression(node.left) && readMember.test(node.left.name.text)) {
      wordsIn(node.right).forEach(report);
    }
    if (isSentence(node) && literalParts(node).some(hasWords)) report(node);
    ts.forEachChild(node, visit);
  };

  ts.forEachChild(source, visit);
  return { messages, problems: [...problems.values()] };
}

/** The string literals with words in an expression. */
function wordsIn(node) {
  return literalsIn(node).filter((literal) => literalParts(literal).some(hasWords));
}

/** Two consecutive words, or a single capitalised one. */
function hasWords(text) {
  return /\p{L} \p{Ll}|\p{L}{2} \p{L}{2}|^\p{Lu}\p{Ll}+[….:]?$/u.test(text.replaceAll(wordless, '').trim());
}

function isAssignment(node) {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
}
