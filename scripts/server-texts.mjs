// Server texts displayed by the client: those in `translatable('…')`, and reasons of first graphs in `because('…')`.
import ts from 'typescript';

const markers = new Set(['translatable', 'because']);

/**
 * @param {ts.SourceFile} source of the server, with parents.
 * @returns {{ messages: readonly string[], problems: readonly { node: ts.Node, what: string }[] }}
 */
export function serverTexts(source) {
  const messages = [];
  const problems = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && markers.has(node.expression.getText(source))) {
      const [text] = node.arguments;
      if (text && ts.isStringLiteralLike(text)) messages.push(text.text);
      else problems.push({ node, what: `${node.expression.getText(source)} needs a text that is written out.` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { messages, problems };
}
