import pg from 'pg';
import { type Column, type DataObject, findDataObject } from '../../../catalog/catalog.ts';
import { postgresqlWrittenValue } from '../../../dialects/postgresql/written-value.ts';
import { quoteLiteral } from '../../../query/quote.ts';
import type { GivenData } from '../../given/given-data.ts';
import { CannotRunError, GivenRowsError } from '../../given/given-rows.ts';
import { isSourceError } from '../../source-error.ts';
import type { Session } from '../session.ts';

/** Creates a table with the given rows, in the schema of the source. Rejects with `GivenRowsError` or `CannotRunError`. */
export async function createGivenTable(
  session: Session,
  object: DataObject,
  data: GivenData,
  schemas: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const [schema = '', table = ''] =
    object.path.length > 1 ? object.path : [schemas[0] ?? 'public', object.path[0] ?? object.name];
  const place = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
  await session.run(`CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)}`, signal);
  await createTypes(session, object, signal);
  const columns = object.columns.map(({ name, type }) => `${pg.escapeIdentifier(name)} ${type}`);
  await session.run(`CREATE TABLE ${place} (${columns.join(', ')})`, signal);
  const insert = insertSql(place, findDataObject(data.catalog, object.name)?.columns ?? [], object.name, data);
  if (insert === undefined) return;
  await session.run(insert, signal).catch((error: unknown) => {
    throw isSourceError(error) ? new GivenRowsError(object.name, error) : error;
  });
}

function insertSql(
  place: string,
  columns: readonly Column[],
  name: string,
  { objects, timeZone }: GivenData,
): string | undefined {
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  if (rows.length === 0) return undefined;
  const lines = rows.map((row) => {
    const cells = columns.map((column) =>
      postgresqlWrittenValue(row.get(column.name) ?? { kind: 'null', text: '' }, column, timeZone),
    );
    return `(${cells.join(', ')})`;
  });
  return `INSERT INTO ${place} VALUES ${lines.join(',\n')}`;
}

/** Enumerations are created with the values that the catalog knows; other types of the source do not exist here. */
async function createTypes(session: Session, { columns }: DataObject, signal: AbortSignal | undefined): Promise<void> {
  const types = [...new Set(columns.map(({ type }) => type))];
  const unknown = await session.rows<{ type: string }>(
    'SELECT type FROM unnest($1::text[]) AS type WHERE to_regtype(type) IS NULL',
    [types],
    signal,
  );
  for (const { type } of unknown) {
    const values = columns.find((column) => column.type === type)?.values ?? [];
    const name = type.replace(/\[\]$/, '');
    if (values.length === 0 || !typeName.test(name)) {
      throw new CannotRunError(`PGlite has no type ${type}. Declare another type for the column in columns.`);
    }
    const labels = values.map(({ value }) => quoteLiteral(value, 'postgresql'));
    await session.run(`CREATE TYPE ${name} AS ENUM (${labels.join(', ')})`, signal);
  }
}

/** A type as written in the catalog: quoted if needed, with its schema if that is not in the search path. */
const typeName = /^(?:(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_]*)\.)?(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\p{N}_]*)$/u;
