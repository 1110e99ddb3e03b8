import ts from 'typescript';
import { lineOfFunction } from '../selection/function-lines.mjs';

const { SyntaxKind } = ts;

/** Comparisons, with what they become: the opposite, and for limits the neighbour. */
const comparisons = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
  [SyntaxKind.LessThanToken, ['<=', '>=']],
  [SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
]);

/** Each gives the replacements of a node, by what they do. */
const operators = {
  'negated condition': (node) => {
    const condition = conditionOf(node);
    return condition ? [[condition, `!(${condition.getText()})`]] : [];
  },
  'other comparison': (node) =>
    ts.isBinaryExpression(node)
      ? (comparisons.get(node.operatorToken.kind) ?? []).map((operator) => [node.operatorToken, operator])
      : [],
  'and for or': (node) => {
    if (!ts.isBinaryExpression(node)) return [];
    const { kind } = node.operatorToken;
    if (kind === SyntaxKind.AmpersandAmpersandToken) return [[node.operatorToken, '||']];
    return kind === SyntaxKind.BarBarToken ? [[node.operatorToken, '&&']] : [];
  },
  'call removed': (node) => {
    if (!ts.isExpressionStatement(node)) return [];
    let { expression } = node;
    while (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) ({ expression } = expression);
    return ts.isCallExpression(expression) ? [[node, ';']] : [];
  },
  'other result': (node) => {
    const value = ts.isReturnStatement(node) ? node.expression : bodyOf(node);
    const other = value && otherLiteral(value);
    return other === undefined ? [] : [[value, other]];
  },
  'off by one': (node) => (ts.isNumericLiteral(node) && isValue(node) ? [[node, `(${node.getText()} + 1)`]] : []),
  'other boolean': (node) => (isBoolean(node) && isValue(node) ? [[node, otherLiteral(node)]] : []),
  'empty text': (node) => (ts.isStringLiteral(node) && node.text !== '' && isValue(node) ? [[node, `''`]] : []),
  'empty list': (node) =>
    ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isValue(node) ? [[node, '[]']] : [],
  'element dropped': (node) => {
    const parts = ts.isArrayLiteralExpression(node)
      ? node.elements
      : ts.isObjectLiteralExpression(node)
        ? node.properties
        : [];
    const isDropped = ts.isArrayLiteralExpression(node) ? () => parts.length > 1 : ts.isSpreadAssignment;
    return isValue(node) ? parts.filter(isDropped).map((part) => [part, '', parts]) : [];
  },
};

/**
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line of the change, from 1
 * @property {string} kind what is done, such as `off by one`
 * @property {number} start of the replaced text
 * @property {number} end
 * @property {string} before
 * @property {string} after
 */

/**
 * The small changes that can be made in the functions of a module, by the line in which the innermost function starts.
 * @param {string} file
 * @param {string} text
 * @returns {Map<number, readonly Mutant[]>}
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = new Map();
  const visit = (node, functionLine) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const own = ts.isFunctionLike(node) && node.body ? lineOfFunction(node, source) : functionLine;
    if (own !== undefined) {
      for (const [kind, replacementsOf] of Object.entries(operators)) {
        for (const [replaced, after, list] of replacementsOf(node)) {
          const [start, end] = list ? withComma(replaced, list) : [replaced.getStart(), replaced.getEnd()];
          const mutant = { file, line: lineAt(start), kind, start, end, before: text.slice(start, end), after };
          found.set(own, [...(found.get(own) ?? []), mutant]);
        }
      }
    }
    ts.forEachChild(node, (child) => visit(child, own));
  };
  visit(source, undefined);
  return found;
}

function conditionOf(node) {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) || ts.isForStatement(node) ? node.condition : undefined;
}

const bodyOf = (node) => (ts.isArrowFunction(node) && !ts.isBlock(node.body) ? node.body : undefined);

const isBoolean = ({ kind }) => kind === SyntaxKind.TrueKeyword || kind === SyntaxKind.FalseKeyword;

function otherLiteral(node) {
  if (isBoolean(node)) return node.kind === SyntaxKind.TrueKeyword ? 'false' : 'true';
  if (ts.isStringLiteralLike(node)) return node.text === '' ? `'other'` : `''`;
  if (ts.isNumericLiteral(node)) return `${node.getText()} + 1`;
  return undefined;
}

/** Not a name, a type or a module; results have a kind of their own. */
function isValue(node) {
  const { parent } = node;
  if (ts.isReturnStatement(parent) || bodyOf(parent) === node)
    return ts.isArrayLiteralExpression(node) || ts.isObjectLiteralExpression(node);
  if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExpressionStatement(parent)) return false;
  if (ts.isCallExpression(parent) && parent.expression.kind === SyntaxKind.ImportKeyword) return false;
  // The left side of an assignment is a pattern.
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.EqualsToken && parent.left === node)
    return false;
  return parent.name !== node && parent.propertyName !== node && !ts.isAsExpression(parent);
}

/** The place of an element with the comma behind it, or before the last one. */
function withComma(part, list) {
  const index = list.indexOf(part);
  if (index < list.length - 1) return [part.getStart(), list[index + 1].getStart()];
  return [index === 0 ? part.getStart() : list[index - 1].getEnd(), part.getEnd()];
}
