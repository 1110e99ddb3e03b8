import { endOfEscaped } from './quoted-text.ts';

/**
 * Formats JSON with two blanks like `JSON.stringify`, keeping scalars as written: all digits of numbers, and duplicate
 * keys. Undefined for invalid JSON.
 */
export function indentedJson(text: string): string | undefined {
  if (!isJson(text)) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let previous = '';
  const breakLine = (): number => parts.push(`\n${'  '.repeat(Math.min(depth, maxDepth))}`);
  for (const { token } of jsonTokens(text)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    const isEmpty = isEnd && (previous === '{' || previous === '[');
    const opens = previous === '{' || previous === '[' || previous === ',';
    if ((opens || isEnd) && !isEmpty) breakLine();
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    previous = token;
  }
  return parts.join('');
}

/** Maximum indentation, for deeply nested texts. */
const maxDepth = 64;

/** Removes everything between JSON tokens. */
export function withoutBlanks(text: string): string {
  return Array.from(jsonTokens(text), ({ token }) => token).join('');
}

/** The members of a JSON object with values as written; undefined for other texts. */
export function jsonMembers(text: string): ReadonlyMap<string, string> | undefined {
  if (!isJson(text) || !/^\s*\{/.test(text)) return undefined;
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  for (const { token, index } of jsonTokens(text)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    const isOwn = depth === 1;
    if (name !== undefined && ((isOwn && token === ',') || (isEnd && depth === 0))) {
      members.set(name, text.slice(start, index).trim());
      name = undefined;
    } else if (isOwn && name === undefined && token.startsWith('"')) name = JSON.parse(token) as string;
    else if (isOwn && token === ':') start = index + 1;
    if (token === '{' || token === '[') depth += 1;
  }
  return members;
}

/** The tokens of a JSON text with positions. */
function* jsonTokens(text: string): Generator<{ readonly token: string; readonly index: number }> {
  const start = /"|[{}[\],:]|[^\s{}[\],:"]+/g;
  for (let found = start.exec(text); found; found = start.exec(text)) {
    const { 0: sign, index } = found;
    if (sign === '"') start.lastIndex = endOfEscaped(text, index) ?? text.length;
    yield { token: sign === '"' ? text.slice(index, start.lastIndex) : sign, index };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Formats a value as JSON with two blanks. */
export function formattedJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
