import { isFineTime } from '../../dialects/standard/fine-times.ts';
import type { Column } from '../../catalog/catalog.ts';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { isDuckDbError } from '../../store/duckdb-store.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { SourceError } from '../source-error.ts';
import { castSql, tryCastSql } from './cast-sql.ts';
import type { JsonShape } from './record-source.ts';

/** Target of fetched records: the database of an import, or of a preview. */
export type FetchTarget = Pick<StagingDatabase, 'run' | 'query' | 'temporaryFolder'>;

/** Content of a segment's lines: lists of records (lists of texts), or raw pages of a source. */
export type SegmentKind = 'cells' | JsonShape;

/** A segment on the disk. */
export interface WrittenSegment {
  readonly kind: SegmentKind;
  readonly path: string;
  /** Length of the longest line in characters. */
  readonly longest: number;
  readonly records: number;
}

/**
 * Loads a segment into a table. Rejects with `type-mismatch` if a text cannot be cast to its column's type, and with
 * `source-failed` if the number of records is not the one that was written.
 */
export async function loadSegment(
  target: FetchTarget,
  name: string,
  read: ObjectRead,
  segment: WrittenSegment,
  signal: AbortSignal | undefined,
): Promise<void> {
  let taken: unknown;
  try {
    taken = await target.run(insertSql(name, read, segment), { signal });
  } catch (error) {
    if (!isDuckDbError(error)) throw error;
    const isJson = segment.kind !== 'cells';
    const found = await castFailure(target, read, segment).catch(() => (isJson ? damaged(read, error) : undefined));
    throw found ?? error;
  }
  if (segment.kind !== 'cells' && taken !== segment.records) throw damaged(read);
}

/**
 * The statement that loads a segment. The texts of all columns of a type are cast by one expression: DuckDB compares the
 * expressions of a query with each other, which takes minutes for a thousand columns.
 */
export function insertSql(
  name: string,
  { columns }: Pick<ObjectRead, 'columns'>,
  segment: Pick<WrittenSegment, 'kind' | 'path' | 'longest'>,
): string {
  const textsOf = new Map<string, string[]>();
  const values = columns.map(({ type }, index) => {
    const text = cellSql(segment.kind, index);
    if (type === 'VARCHAR') return text;
    const texts = textsOf.get(type) ?? [];
    textsOf.set(type, texts);
    return `cast_${[...textsOf.keys()].indexOf(type) + 1}[${texts.push(text)}]`;
  });
  const lists = [...textsOf].map(
    ([type, texts], index) =>
      `list_transform([${texts.join(', ')}], lambda text: ${castSql('text', type)}) AS cast_${index + 1}`,
  );
  const rows = lists.length === 0 ? readSql(segment) : `(SELECT *, ${lists.join(', ')} FROM ${readSql(segment)})`;
  return `INSERT INTO temp.${quoteIdentifier(name)} SELECT ${values.join(', ')} FROM ${rows}`;
}

/**
 * The records of a segment as rows with one column. DuckDB's JSON reader always reserves 64 MB. Its CSV reader, which
 * gets each line as one text here, is as fast and allocates only its configured buffer.
 */
function readSql({ kind, path, longest }: Pick<WrittenSegment, 'kind' | 'path' | 'longest'>): string {
  // A character takes up to four bytes.
  const size = Math.max(1024 * 1024, longest * 4);
  const lines = `read_csv(${embeddedLiteral(path)}, auto_detect = false, header = false, delim = '', quote = '', escape = '', comment = '', columns = {line: 'VARCHAR'}, max_line_size = ${size}, buffer_size = ${2 * size})`;
  if (kind === 'cells') return `(SELECT unnest(from_json(line, '[["VARCHAR"]]')) AS cells FROM ${lines})`;
  const record = Object.fromEntries(kind.fields.map((field) => [field, 'VARCHAR']));
  const shape = embeddedLiteral(JSON.stringify({ [kind.list]: [record] }));
  return `(SELECT unnest(from_json(line, ${shape}).${quoteIdentifier(kind.list)}) AS record FROM ${lines})`;
}

/** The text of a column, or NULL. */
function cellSql(kind: SegmentKind, index: number): string {
  if (kind === 'cells') return `cells[${index + 1}]`;
  return `nullif(record.${quoteIdentifier(kind.fields[index] ?? '')}, '')`;
}

/** Message about the first text that does not fit its column type. */
async function castFailure(
  target: FetchTarget,
  { columns, dataObject }: ObjectRead,
  segment: WrittenSegment,
): Promise<SourceError | undefined> {
  const key = columns.findIndex(({ primaryKey }) => primaryKey);
  const keySql = key < 0 ? 'NULL' : cellSql(segment.kind, key);
  for (const [index, { name, type }] of columns.entries()) {
    if (type === 'VARCHAR') continue;
    const cell = cellSql(segment.kind, index);
    const [row] = await target.query(
      `SELECT ${cell} AS value, ${keySql} AS key FROM ${readSql(segment)} WHERE ${cell} IS NOT NULL AND ${tryCastSql(cell, type)} IS NULL LIMIT 1`,
    );
    if (row) return noValue(dataObject, { name, type }, row);
  }
  return undefined;
}

function noValue(
  dataObject: string,
  { name, type }: Pick<Column, 'name' | 'type'>,
  { value, key }: Readonly<Record<string, unknown>>,
): SourceError {
  const record = key === null ? 'A record' : `The record ${String(key)}`;
  const text = String(value);
  return new SourceError(
    'type-mismatch',
    `${record} of ${dataObject} has "${text.slice(0, 80)}" in ${name}, which is no ${type}.`,
    { remedy: remedyOf(name, type, text) },
  );
}

function remedyOf(name: string, type: string, text: string): string {
  if (text.trim() === '') return `Add ${JSON.stringify(text)} to nullValues of the endpoint: a missing value.`;
  if (type === 'TIMESTAMP' && offsetPattern.test(text)) {
    return `A TIMESTAMP has no offset: declare ${name} as TIMESTAMPTZ.`;
  }
  if (type.startsWith('TIME') && isFineTime(text)) {
    return `Graphs have times in microseconds: declare ${name} as VARCHAR.`;
  }
  const isNumber = Number.isFinite(Number(text));
  if (type === 'DOUBLE' && isNumber) {
    return `A DOUBLE has fewer digits: declare ${name} as DECIMAL, such as DECIMAL(38,18), or VARCHAR.`;
  }
  if (type === 'BIGINT' && isNumber && !Number.isInteger(Number(text))) {
    return `The first page has whole numbers only: declare ${name} as DOUBLE, or DECIMAL, where endpoints have columns.`;
  }
  return 'Correct the record at the source, leave the column out, or declare its type where endpoints have columns.';
}

/** Matches the offset at the end of a time. */
const offsetPattern = /:\d.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/;

function damaged({ dataObject }: ObjectRead, cause?: unknown): SourceError {
  return new SourceError('source-failed', `An answer with records of ${dataObject} is damaged: not all can be read.`, {
    remedy: 'Import again; if it happens again, ask for fewer records at a time (pageSize).',
    cause,
  });
}
