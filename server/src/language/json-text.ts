import type { FieldDocs } from './schema/field-docs.ts';

/** JSON requires quotes; its files start with a brace. */
export function isJson(text: string): boolean {
  return /^\s*\{/.test(text);
}

/** The value of a property in a JSON file, with a snippet placeholder. */
export function jsonValue({ shape, values }: Pick<FieldDocs, 'shape' | 'values'>): string {
  if (shape === 'list') return '[$0]';
  if (shape === 'object') return '{ $0 }';
  if (shape === 'either') return '$0';
  const isText = shape === 'text' || (values.length > 0 && values.every((value) => typeof value === 'string'));
  return isText ? '"$0"' : '$0';
}

/** A list of texts on one line. */
export function jsonGroup(group: object): string {
  const written = Object.entries(group).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{ ${written.join(', ')} }`;
}

/** The comma needed after an offset when another key or entry follows. */
export function trailingComma(text: string, end: number): string {
  return /^\s*["{[]/.test(text.slice(end, end + maxBlanks)) ? ',' : '';
}

const maxBlanks = 1_000;
