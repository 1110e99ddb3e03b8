import { quoteIdentifier } from '../../query/quote.ts';

/** A type of DuckDB, with the parts of structs and lists. */
export type NestedType =
  | { readonly kind: 'leaf'; readonly type: string }
  | { readonly kind: 'struct'; readonly fields: readonly NestedField[] }
  | { readonly kind: 'list'; readonly items: NestedType };

interface NestedField {
  readonly name: string;
  readonly type: NestedType;
}

/** Parses the name of a type as DuckDB prints it. Types other than structs and lists are leaves. */
export function parseType(type: string): NestedType {
  if (type.endsWith('[]')) return { kind: 'list', items: parseType(type.slice(0, -2)) };
  const [, body] = /^STRUCT\(([^]*)\)$/.exec(type) ?? [];
  if (body === undefined) return { kind: 'leaf', type };
  return { kind: 'struct', fields: partsOf(body).map(parseField) };
}

/** The name of a type whose leaves are changed. */
export function typeName(nested: NestedType, leaf: (type: string) => string): string {
  switch (nested.kind) {
    case 'leaf':
      return leaf(nested.type);
    case 'list':
      return `${typeName(nested.items, leaf)}[]`;
    case 'struct':
      return `STRUCT(${nested.fields.map(({ name, type }) => `${quoteIdentifier(name)} ${typeName(type, leaf)}`).join(', ')})`;
  }
}

/** The types of all leaves. */
export function leavesOf(nested: NestedType): readonly string[] {
  switch (nested.kind) {
    case 'leaf':
      return [nested.type];
    case 'list':
      return leavesOf(nested.items);
    case 'struct':
      return nested.fields.flatMap(({ type }) => leavesOf(type));
  }
}

function parseField(text: string): NestedField {
  const [, quoted, bare, type = ''] = /^(?:"((?:[^"]|"")*)"|(\S+)) ([^]*)$/.exec(text) ?? [];
  return { name: quoted?.replaceAll('""', '"') ?? bare ?? '', type: parseType(type) };
}

/** The parts between commas that are neither in brackets nor in quotes. */
function partsOf(body: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of body.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|[(),]/g)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (token === ',' && depth === 0) {
      parts.push(body.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, body.slice(start)].map((part) => part.trim());
}
