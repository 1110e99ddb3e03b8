import type { Column, DataObject } from '../../../catalog/catalog.ts';
import type { WrittenValue } from '../../../catalog/written-value.ts';
import { jsonOf } from '../../../dialects/standard/written-value.ts';
import { trino } from '../../../dialects/trino.ts';
import type { GivenData } from '../../given/given-data.ts';
import { CannotRunError } from '../../given/given-rows.ts';
import { type GivenTimeReader, givenTimeReader } from '../../given/given-time.ts';

/** The rows of a data object as a SELECT with the types of its columns. */
export function givenTableSql({ name, columns }: DataObject, { catalog, objects, timeZone }: GivenData): string {
  if (columns.length === 0) throw new CannotRunError(`The columns of ${name} in ${catalog.dataSource} are not known.`);
  const names = columns.map((column) => trino.identifiers.quote(column.name));
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  if (rows.length === 0) {
    const nulls = columns.map(({ type }, index) => `CAST(NULL AS ${type}) AS ${names[index] ?? ''}`);
    return `SELECT ${nulls.join(', ')} WHERE false`;
  }
  const times = givenTimeReader(timeZone);
  const lines = rows.map((row) => {
    const cells = columns.map((column) => cellSql(row.get(column.name), column, times));
    return `(${cells.join(', ')})`;
  });
  return `SELECT * FROM (VALUES ${lines.join(',\n')}) AS given (${names.join(', ')})`;
}

function cellSql(value: WrittenValue | undefined, { type, sense }: Column, times: GivenTimeReader): string {
  if (!value || value.kind === 'null') return `CAST(NULL AS ${type})`;
  const quote = trino.literals.quote;
  if (sense === 'json') {
    const json = `json_parse(${quote(jsonOf(value))})`;
    return /^json$/i.test(type) ? json : `CAST(${json} AS ${type})`;
  }
  if (sense === 'binary') return `CAST(to_utf8(${quote(value.text)}) AS ${type})`;
  if (sense !== 'timestamp') return `CAST(${quote(value.text)} AS ${type})`;
  const isZoned = /with time zone$/i.test(type.trim());
  const time = isZoned ? times.utc(value.text).replace('T', ' ').replace(/Z$/, ' UTC') : times.local(value.text);
  return `CAST(${quote(time)} AS ${type})`;
}
