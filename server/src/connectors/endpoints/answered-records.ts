import { type JsonRecord, isRecord, recordsAt, valueAt } from '../fetched/json-records.ts';
import { SourceError } from '../source-error.ts';
import type { RestEndpoint } from './endpoint.ts';

/**
 * The records in a response, with null for texts that represent missing values. Throws `source-failed` when there is
 * no list, or with `keyColumn` no object of records.
 */
export function answeredRecords(answer: unknown, endpoint: RestEndpoint): readonly JsonRecord[] {
  const { records: path, name, keyColumn, nullValues = [] } = endpoint;
  const records =
    keyColumn === undefined ? recordsAt(answer, path, name) : keyedRecords(valueAt(answer, path), keyColumn, endpoint);
  return nullValues.length === 0 ? records : records.map((record) => withoutTexts(record, new Set(nullValues)));
}

function withoutTexts(record: JsonRecord, nulls: ReadonlySet<unknown>): JsonRecord {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, nulls.has(value) ? null : value]));
}

/** The records of an object, with their keys in a column. */
function keyedRecords(found: unknown, column: string, { name, records: path }: RestEndpoint): readonly JsonRecord[] {
  // PHP writes an empty object as an empty list.
  if (Array.isArray(found) && found.length === 0) return [];
  const where = path.length === 0 ? 'The answer' : `"${path.join('.')}" in the answer`;
  const entries = isRecord(found) ? Object.entries(found) : undefined;
  const other = entries?.find(([, value]) => !isRecord(value));
  if (!entries || other) {
    const what = other ? `has something else than a record at "${other[0]}"` : 'is no object whose values are records';
    throw new SourceError('source-failed', `${where} of ${name} ${what}.`, {
      remedy: 'Correct records of the endpoint, or leave keyColumn out where the records are a list.',
    });
  }
  return entries.map(([key, value]) => {
    const record = value as JsonRecord;
    const own = record[column];
    if (own !== undefined && own !== null && String(own as string) !== key) {
      throw new SourceError(
        'source-failed',
        `The record "${key}" of ${name} has a field ${column}, which is ${JSON.stringify(own)}.`,
        { remedy: 'Choose another keyColumn for the endpoint: the name of a column that records do not have.' },
      );
    }
    return { [column]: key, ...record, ...(own === null && { [column]: key }) };
  });
}
