import type { Column, DataObject } from '../../../catalog/catalog.ts';
import type { WrittenValue } from '../../../catalog/written-value.ts';
import { mysql } from '../../../dialects/mysql.ts';
import { jsonOf } from '../../../dialects/standard/written-value.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import { mentionedNames } from '../../../query/sql-names.ts';
import type { GivenData } from '../../given/given-data.ts';
import { CannotRunError } from '../../given/given-rows.ts';
import { type GivenTimeReader, givenTimeReader } from '../../given/given-time.ts';
import type { Server } from '../server.ts';

/**
 * The rows of a data object as JSON_TABLE, which gives columns the types of a real table: CAST knows neither
 * `timestamp` nor `tinyint`. Throws a `CannotRunError` if a column named by the query has a type that JSON_TABLE lacks.
 */
export function givenTableSql(object: DataObject, data: GivenData, query: CompiledQuery, server: Server): string {
  const { name, columns } = object;
  if (columns.length === 0) {
    throw new CannotRunError(`The columns of ${name} in ${data.catalog.dataSource} are not known.`);
  }
  const mentioned = mentionedNames(query.sql, 'mysql');
  for (const { name: column, type } of columns) {
    if (!untold.test(type) || !mentioned.has(mysql.identifiers.key(column))) continue;
    throw new CannotRunError(
      `${name}.${column} has the type ${type}, which only a table can have. Declare another type for it in columns, such as varchar(255).`,
    );
  }
  const rows = data.objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  const times = givenTimeReader(data.timeZone);
  const items = rows.map((row) => {
    const cells = columns.flatMap((column, index) => {
      const value = row.get(column.name);
      return !value || value.kind === 'null' ? [] : [`"c${index}":${jsonCell(value, column, times, server)}`];
    });
    return `{${cells.join(',')}}`;
  });
  const list = columns.map(
    (column, index) =>
      `${mysql.identifiers.quote(column.name)} ${typeSql(column, server)} PATH '$.c${index}' NULL ON EMPTY ERROR ON ERROR`,
  );
  const json = mysql.literals.quote(`[${items.join(',\n')}]`);
  return `SELECT * FROM JSON_TABLE(${json}, '$[*]' COLUMNS (${list.join(', ')})) AS given`;
}

/** Types that JSON_TABLE lacks, or reads differently from a table. */
const untold = /^(?:enum|set|bit|uuid|inet[46]|geometry|point|linestring|polygon|multi\w+|geom\w+|vector)\b/i;

function typeSql({ type, sense, collation }: Column, { isMariadb }: Server): string {
  if (untold.test(type)) return 'longtext';
  // JSON_TABLE of MariaDB would quote a text once more.
  if (sense === 'json') return isMariadb ? 'longtext' : 'json';
  if (collation === undefined || sense !== 'text') return type;
  const [characters = ''] = collation.split('_');
  return `${type} CHARACTER SET ${characters} COLLATE ${collation}`;
}

/** A value as JSON_TABLE reads it: texts, so that no digit is lost. */
function jsonCell(value: WrittenValue, column: Column, times: GivenTimeReader, { isMariadb }: Server): string {
  if (column.sense === 'json' && !isMariadb) return jsonOf(value);
  return JSON.stringify(givenText(value, column, times));
}

/** The text of a value that is not NULL, as the server writes it. */
export function givenText(value: WrittenValue, { type, sense }: Column, times: GivenTimeReader): string {
  const { kind, text } = value;
  if (sense === 'json') return jsonOf(value);
  if (kind === 'boolean' && (sense === 'integer' || sense === 'number')) return /^true$/i.test(text) ? '1' : '0';
  if (sense !== 'timestamp') return text;
  // Sessions are in UTC.
  if (/^timestamp/i.test(type)) return times.utc(text).replace('T', ' ').replace(/Z$/, '');
  return times.local(text);
}
