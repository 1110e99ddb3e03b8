import { type Document, type ScalarTag, isScalar, stringify, visit } from 'yaml';
import { indentedJson } from '../../model/indented-json.ts';
import { writtenSchema } from '../../model/written-yaml.ts';

/**
 * Converts a document with resolvable aliases to JSON or block YAML; drops comments, preserves every digit of numbers.
 */
export function documentText(document: Document, format: 'json' | 'yaml'): string {
  const data = writtenData(document);
  if (format === 'yaml') return stringify(data, { ...writtenSchema, customTags: [writtenNumberTag] });
  const text = jsonText(data);
  return `${indentedJson(text) ?? text}\n`;
}

/** The first number without a JSON representation: infinity or NaN. */
export function numberWithoutJson(
  document: Document,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  let found: ReturnType<typeof numberWithoutJson>;
  visit(document, {
    Scalar(_, { value, source = '', range }) {
      if (typeof value !== 'number' || numberText(source) !== undefined) return undefined;
      const [start = 0, end = start] = range ?? [];
      found = { text: source, start, end };
      return visit.BREAK;
    },
  });
  return found;
}

/** A number as JSON text: JavaScript numbers have 16 or 17 significant digits only. */
class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Converts the values of a document in place. */
function writtenData(document: Document): unknown {
  visit(document, {
    Scalar(role, scalar) {
      const text = typeof scalar.value === 'number' ? numberText(scalar.source ?? '') : undefined;
      if (text !== undefined) scalar.value = role === 'key' ? text : new WrittenNumber(text);
    },
    Alias(role, alias) {
      const target = role === 'key' ? alias.resolve(document) : undefined;
      if (isScalar(target) && target.value instanceof WrittenNumber) return document.createNode(target.value.text);
      return undefined;
    },
  });
  return document.toJS({ maxAliasCount: -1 });
}

/** The JSON notation of a YAML 1.2 number; undefined for infinity and NaN. */
function numberText(source: string): string | undefined {
  if (/^0[xo]/.test(source)) return String(BigInt(source));
  const parts = /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source);
  if (!parts) return undefined;
  const [, sign = '', whole = '', decimals = '', exponent = ''] = parts;
  const start = `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}`;
  return `${start}${decimals === '' ? '' : `.${decimals}`}${exponent}`;
}

function jsonText(value: unknown): string {
  if (value instanceof WrittenNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`);
  return `{${members.join(',')}}`;
}

const writtenNumberTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof WrittenNumber,
  resolve: (text) => new WrittenNumber(text),
  stringify: ({ value }) => (value as WrittenNumber).text,
};
