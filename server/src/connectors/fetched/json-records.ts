import type { Column } from '../../catalog/catalog.ts';
import { sampleValues } from '../../catalog/sample-values.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { SourceError } from '../source-error.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * The record list at a path of a response; the response itself for an empty path. Throws `source-failed` without a
 * list.
 */
export function recordsAt(answer: unknown, path: readonly string[], endpoint: string): readonly JsonRecord[] {
  const found = valueAt(answer, path);
  if (Array.isArray(found) && found.every(isRecord)) return found;
  const where = path.length === 0 ? 'The answer' : `"${path.join('.')}" in the answer`;
  const what = Array.isArray(found)
    ? 'a list of something else than records'
    : found === undefined
      ? 'not there'
      : 'no list';
  const names = isRecord(answer) ? ` The answer has: ${Object.keys(answer).slice(0, 10).join(', ')}.` : '';
  throw new SourceError('source-failed', `${where} of ${endpoint} is ${what}.`, {
    remedy: `Correct records of the endpoint: names separated by dots that lead to the list.${names}`,
  });
}

/**
 * The value at a path of a response, undefined when missing. A field whose own name has dots, such as
 * `@odata.nextLink`, wins over a field in a group; a number is a place in a list, from its end if negative.
 */
export function valueAt(answer: unknown, path: readonly string[]): unknown {
  if (path.length === 0) return answer;
  if (Array.isArray(answer)) {
    const [place = '', ...rest] = path;
    return /^-?\d+$/.test(place) ? valueAt((answer as unknown[]).at(Number(place)), rest) : undefined;
  }
  if (!isRecord(answer)) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const name = path.slice(0, length).join('.');
    const value = Object.hasOwn(answer, name) ? valueAt(answer[name], path.slice(length)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A JSON value as a text for DuckDB's casts; objects and lists as JSON. */
export function jsonCell(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** Infers columns from records: every field in order of appearance, with the common type of its values. */
export function inferColumns(records: readonly JsonRecord[], key: readonly string[]): readonly Column[] {
  const types = new Map<string, string | undefined>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      const type = value === null || value === undefined ? undefined : valueType(value);
      const known = types.get(name);
      types.set(name, known === undefined ? type : type === undefined ? known : commonType(known, type));
    }
  }
  checkNames([...types.keys()]);
  return [...types].map(([name, type = 'VARCHAR']) => {
    const isKey = key.includes(name);
    const samples = sampleValues(name, valuesOf(records, name));
    return { name, type, sense: columnSense(type), nullable: !isKey, primaryKey: isKey, ...samples };
  });
}

function* valuesOf(records: readonly JsonRecord[], name: string): Generator {
  for (const record of records) yield record[name];
}

/** SQL names that differ by case only are equal. */
function checkNames(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      throw new SourceError(
        'source-failed',
        `Records have the fields ${other} and ${name}, which differ only by case.`,
        {
          remedy: 'SQL cannot distinguish them: let the endpoint omit one of them.',
        },
      );
    }
    seen.set(name.toLowerCase(), name);
  }
}

function valueType(value: unknown): string {
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'BIGINT' : 'DOUBLE';
  if (typeof value === 'object') return 'JSON';
  const text = value as string;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return 'DATE';
  const time = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  return time ? (time[1] === undefined ? 'TIMESTAMP' : 'TIMESTAMP WITH TIME ZONE') : 'VARCHAR';
}

function commonType(one: string, other: string): string {
  if (one === other) return one;
  return [one, other].every((type) => type === 'BIGINT' || type === 'DOUBLE') ? 'DOUBLE' : 'VARCHAR';
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
