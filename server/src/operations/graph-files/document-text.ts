import { type Document, type ScalarTag, isScalar, stringify, visit } from 'yaml';
import { indentedJson } from '../../model/indented-json.ts';

/** What a document whose aliases can be followed says, as JSON, or as YAML in blocks; without comments, but with every digit of its numbers. */
export function documentText(document: Document, format: 'json' | 'yaml'): string {
  const data = writtenData(document);
  if (format === 'yaml') return stringify(data, { customTags: [writtenNumberTag] });
  const text = jsonText(data);
  return `${indentedJson(text) ?? text}\n`;
}

/** The first number of a document that JSON has no way to say: infinity, or what is no number. */
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

/** A number by its digits, as JSON writes it: JavaScript's own have room for 16 or 17 of them. */
class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The values of a document; it is changed on the way. */
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

/** How JSON writes what YAML 1.2 reads as a number; undefined for infinity and what is no number, which JSON lacks. */
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
