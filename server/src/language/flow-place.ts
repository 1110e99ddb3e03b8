import { unquote } from './yaml-line.ts';

/** Where in braces and brackets of one line a cursor stands; columns of the line. */
export interface FlowPlace {
  readonly path: readonly string[];
  readonly indexes: readonly number[];
  readonly in: 'key' | 'value';
  readonly from: number;
  readonly to: number;
  readonly siblings: readonly string[];
}

/** The place inside `{…}` and `[…]` of one line, from the brackets that are open at the cursor. */
export function flowPlace(line: string, from: number, column: number): FlowPlace | undefined {
  const open: { kind: '{' | '['; index: number; keys: string[]; key?: string }[] = [];
  let start = from;
  let quote = '';
  for (let at = from; at < column; at += 1) {
    const character = line.charAt(at);
    const top = open.at(-1);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      if (line.slice(start, at).trim() === '') quote = character;
    } else if (character === '{' || character === '[') {
      if (line.slice(start, at).trim() !== '') continue;
      open.push({ kind: character, index: 0, keys: [] });
      start = at + 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      start = at + 1;
    } else if (character === ',' && top) {
      top.index += 1;
      delete top.key;
      start = at + 1;
    } else if (character === ':' && top?.kind === '{' && /[\s]|$/.test(line.charAt(at + 1)) && top.key === undefined) {
      top.key = unquote(line.slice(start, at).trim());
      top.keys.push(top.key);
      start = at + 1;
    }
  }
  const top = open.at(-1);
  if (!top) return undefined;
  const path = open.flatMap((frame, depth) =>
    frame.kind === '[' ? ['[]'] : depth < open.length - 1 || frame.key !== undefined ? [frame.key ?? ''] : [],
  );
  const wordFrom = start + (/^\s*/.exec(line.slice(start, column))?.[0].length ?? 0);
  const rest = /^[^,}\]]*/.exec(line.slice(column))?.[0].trimEnd() ?? '';
  const inKey = top.kind === '{' && top.key === undefined;
  const to = column + (inKey ? (/^[^:,}\]\s]*/.exec(rest)?.[0].length ?? 0) : rest.length);
  const later =
    inKey || top.kind === '{'
      ? [...line.slice(column).matchAll(/[,{]\s*([\w-]+)\s*:/g)].map((match) => match[1] ?? '')
      : [];
  return {
    path,
    indexes: open.filter(({ kind }) => kind === '[').map(({ index }) => index),
    in: inKey ? 'key' : 'value',
    from: wordFrom,
    to,
    siblings: [...top.keys, ...later],
  };
}
