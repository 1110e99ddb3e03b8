import type { Column, DataObject } from '../../catalog/catalog.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { headColumns } from './head-columns.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { joinValues, joinedValue } from '../log-file/join-values.ts';
import type { LogTable } from '../log-file/log-tables.ts';
import type { XesActivity, XesAttribute, XesShape } from './read-shape.ts';

/**
 * The data objects of a log in `xesTables`, with the queries of their rows.
 * @param file its absolute path
 */
export function xesObjects(file: string, shape: XesShape): readonly LogTable[] {
  const { traceAttributes, eventAttributes, traces, events, activity, head } = shape;
  const joined = activity && activity.joined.length > 0 ? [activity] : [];
  const position = column('position', 'BIGINT', 'Position in the file');
  const trace = { ...column('trace_id', 'VARCHAR'), references: { dataObject: 'trace', column: 'trace_id' } };
  return [
    {
      object: dataObject(file, 'event', 'The events of the log', events, [
        { ...position, nullable: false, primaryKey: true },
        trace,
        ...eventAttributes.map((each) => column(each.column, each.type)),
        ...joined.map((each) => column(each.column, 'VARCHAR', `The classifier: ${joinedNames(each)}`)),
      ]),
      sql: `SELECT own.position, ${traceId(shape)} AS trace_id${valuesSql(eventAttributes)}${joined.map((each) => joinedSql(each, eventAttributes)).join('')} FROM event AS own
        LEFT JOIN ${namesSql} AS named ON named.owner = own.trace ${joinValues(
          eventAttributes.map(({ name }) => name),
          'event_value',
          'own.position',
        )} ORDER BY own.position`,
    },
    {
      object: dataObject(file, 'trace', 'The traces of the log', traces, [
        { ...column('trace_id', 'VARCHAR'), nullable: false, primaryKey: true },
        position,
        ...traceAttributes.map((each) => column(each.column, each.type)),
      ]),
      sql: `SELECT ${traceId(shape)} AS trace_id, own.position${valuesSql(traceAttributes)}
        FROM (SELECT position, position AS trace FROM trace) AS own
        LEFT JOIN ${namesSql} AS named ON named.owner = own.trace ${joinValues(
          traceAttributes.map(({ name }) => name),
          'trace_value',
          'own.position',
        )} ORDER BY own.position`,
    },
    {
      object: dataObject(file, 'log', 'What the log says of itself, one row', 1, [
        { ...column('log_id', 'VARCHAR'), nullable: false, primaryKey: true },
        ...headColumns(head).map(({ name, comment }) => column(name, 'VARCHAR', comment)),
      ]),
      sql: `SELECT 'log' AS log_id, ${headColumns(head)
        .map(({ name, value }) => `${value === undefined ? 'NULL' : embeddedLiteral(value)} AS ${name}`)
        .join(', ')}`,
    },
  ];
}

function traceId({ hasNames }: XesShape): string {
  return hasNames ? 'named.name' : 'CAST(own.trace AS VARCHAR)';
}

const namesSql = `(SELECT owner, value AS name FROM trace_value WHERE name = 'concept:name')`;

function valuesSql(attributes: readonly XesAttribute[]): string {
  return attributes
    .map(({ column: name, type }, index) => `, CAST(${joinedValue(index)} AS ${type}) AS ${quoteIdentifier(name)}`)
    .join('');
}

function joinedNames({ joined }: XesActivity): string {
  return joined.map(({ name }) => name).join('+');
}

/** Events of one class have equal values of all attributes of the classifier. */
function joinedSql({ column: name, joined }: XesActivity, attributes: readonly XesAttribute[]): string {
  const values = joined.map((part) => joinedValue(attributes.indexOf(part)));
  return `, concat_ws('+', ${values.join(', ')}) AS ${quoteIdentifier(name)}`;
}

function dataObject(
  file: string,
  name: string,
  comment: string,
  rowEstimate: number,
  columns: readonly Column[],
): DataObject {
  return {
    name,
    kind: 'file',
    path: [name],
    comment,
    file,
    columns,
    primaryKey: columns.filter(({ primaryKey }) => primaryKey).map((each) => each.name),
    foreignKeys: columns.flatMap(({ name: from, references }) =>
      references
        ? [
            {
              name: `${name}: ${from}`,
              columns: [from],
              references: { dataObject: references.dataObject, columns: [references.column] },
            },
          ]
        : [],
    ),
    statistics: { columnCount: columns.length, rowEstimate },
  };
}

function column(name: string, type: string, comment?: string): Column {
  return {
    name,
    type,
    sense: columnSense(type),
    nullable: true,
    primaryKey: false,
    ...(comment !== undefined && { comment }),
  };
}
