import type { Column, DataObject } from '../../catalog/catalog.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { joinValues, joinedValue } from '../log-file/join-values.ts';
import type { LogTable } from '../log-file/log-tables.ts';
import { type EventRelation, type EventType, type OcelShape, type OcelType } from './read-shape.ts';

const zoned = 'TIMESTAMP WITH TIME ZONE';

/**
 * The data objects of a log in `logTables`, with the queries of their rows.
 * @param file its absolute path
 */
export function logObjects(file: string, shape: OcelShape): readonly LogTable[] {
  return [
    ...shape.eventTypes.map((type) => ({ object: eventObject(file, type, shape), sql: eventsSql(type) })),
    ...shape.objectTypes.map((type) => ({ object: objectObject(file, type), sql: objectsSql(type) })),
    ...relationTables.map(({ name, columns, sql }) => ({
      object: dataObject(file, name, `${kindOf[name]} relations`, columns.map(text), []),
      sql,
    })),
  ];
}

const kindOf: Readonly<Record<string, string>> = { event_object: 'Event-to-object', object_object: 'Object-to-object' };

const relationTables = [
  {
    name: 'event_object',
    columns: ['ocel_event_id', 'ocel_event_type', 'ocel_object_id', 'ocel_object_type', 'ocel_qualifier'],
    sql: relationsSql('event'),
  },
  {
    name: 'object_object',
    columns: ['ocel_source_id', 'ocel_source_type', 'ocel_target_id', 'ocel_target_type', 'ocel_qualifier'],
    sql: relationsSql('object'),
  },
] as const;

function eventObject(file: string, type: EventType, { objectTypes }: OcelShape): DataObject {
  const dataObjects = new Map(objectTypes.map((each) => [each.name, each.dataObject]));
  const related = type.relations.map((relation) => relationColumn(relation, dataObjects.get(relation.objectType)));
  return dataObject(
    file,
    type.dataObject,
    `Events of the type ${type.name}`,
    [
      { ...text('ocel_id'), nullable: false, primaryKey: true },
      { ...text('ocel_type'), nullable: false },
      { ...column('ocel_time', zoned), nullable: false },
      { ...column('ocel_position', 'BIGINT', 'Position of the event in the file'), nullable: false },
      ...type.attributes.map((attribute) => column(attribute.column, attribute.type)),
      ...related,
    ],
    ['ocel_id'],
    type.rows,
  );
}

function relationColumn(relation: EventRelation, target: string | undefined): Column {
  const { objectType, qualifier, isList } = relation;
  const what = `${isList ? 'Objects' : 'The object'} of the type ${objectType}${qualifier === '' ? '' : `, qualified by ${qualifier}`}`;
  return {
    ...(isList
      ? { ...column(relation.column, 'VARCHAR', `${what}: ids as a JSON array`) }
      : column(relation.column, 'VARCHAR', what)),
    ...(target !== undefined && !isList && { references: { dataObject: target, column: 'ocel_id' } }),
  };
}

function objectObject(file: string, type: OcelType): DataObject {
  return dataObject(
    file,
    type.dataObject,
    `Objects of the type ${type.name}: a row with the first values of each, and a row for each later value`,
    [
      { ...text('ocel_id'), nullable: false },
      { ...text('ocel_type'), nullable: false },
      column('ocel_time', zoned, 'Since when the values hold'),
      column('ocel_changed_field', 'VARCHAR', 'The attribute that changed; missing in the row of the first values'),
      ...type.attributes.map((attribute) => column(attribute.column, attribute.type)),
    ],
    [],
    type.rows,
  );
}

function dataObject(
  file: string,
  name: string,
  comment: string,
  columns: readonly Column[],
  primaryKey: readonly string[],
  rowEstimate?: number,
): DataObject {
  const foreignKeys = columns.flatMap(({ name: from, references }) =>
    references
      ? [
          {
            name: `${name}: ${from}`,
            columns: [from],
            references: { dataObject: references.dataObject, columns: [references.column] },
          },
        ]
      : [],
  );
  return {
    name,
    kind: 'file',
    path: [name],
    comment,
    file,
    columns,
    primaryKey,
    foreignKeys,
    statistics: { columnCount: columns.length, ...(rowEstimate !== undefined && { rowEstimate }) },
  };
}

function text(name: string): Column {
  return column(name, 'VARCHAR');
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

const lit = (value: string): string => embeddedLiteral(value);

function eventsSql({ name, attributes, relations }: EventType): string {
  const names = attributes.map((attribute) => attribute.name);
  const kinds = relations.map(
    ({ objectType, qualifier, isList }, index) => `(${lit(objectType)}, ${lit(qualifier)}, '${index}', ${isList})`,
  );
  const selected = [
    'own.id AS ocel_id',
    'own.type AS ocel_type',
    `CAST(own.time AS ${zoned}) AS ocel_time`,
    'own.place AS ocel_position',
    ...attributes.map(
      ({ column: each, type }, index) => `CAST(${joinedValue(index)} AS ${type}) AS ${quoteIdentifier(each)}`,
    ),
    ...relations.map(({ column: each }, index) => `${joinedValue(index, 'r')} AS ${quoteIdentifier(each)}`),
  ];
  const related = `, related AS MATERIALIZED (
      SELECT source AS owner, number AS name,
        CASE WHEN kind.is_list THEN CAST(to_json(list(DISTINCT target ORDER BY target)) AS VARCHAR) ELSE max(target) END AS value
      FROM event_object JOIN object AS held ON held.id = target
        JOIN (VALUES ${kinds.join(', ')}) AS kind (type, qualifier, number, is_list)
          ON kind.type = held.type AND kind.qualifier = coalesce(event_object.qualifier, '')
      WHERE source IN (SELECT id FROM own) GROUP BY source, number, kind.is_list)`;
  return `WITH own AS (SELECT rowid + 1 AS place, id, type, time FROM event WHERE type = ${lit(name)})${kinds.length === 0 ? '' : related}
    SELECT ${selected.join(', ')} FROM own
    ${joinValues(names, '(SELECT * FROM event_value WHERE owner IN (SELECT id FROM own))', 'own.id')}
    ${joinValues(
      kinds.map((_, index) => String(index)),
      'related',
      'own.id',
      'r',
    )}
    ORDER BY own.place`;
}

/** The time that OCEL gives to values that hold from the start, in any time zone. */
const isFirstTime = `regexp_full_match(time, '1970-01-01[T ]00:00:00([.]0+)?(Z|[+-]00:?00)?')`;

const start = "TIMESTAMPTZ '1970-01-01 00:00:00+00'";

/**
 * The rows are as in the relational format of OCEL. Initial values have the time 1970-01-01. An object without initial
 * values gets the values of its earliest time in its first row, with that time.
 */
function objectsSql({ name, attributes }: OcelType): string {
  const typed = attributes.map(
    ({ column: each, type }, index) => `CAST(a${index} AS ${type}) AS ${quoteIdentifier(each)}`,
  );
  const changed = attributes.map(
    (attribute, index) => `CASE WHEN name = ${lit(attribute.name)} THEN value END AS a${index}`,
  );
  const list = (parts: readonly string[]): string => parts.map((part) => `, ${part}`).join('');
  const first = attributes.map((_, index) => `${joinedValue(index)} AS a${index}`);
  return `WITH own AS (SELECT rowid AS place, id, type FROM object WHERE type = ${lit(name)}),
    dated AS (SELECT owner, name, value, ${isFirstTime} AS standard,
        CASE WHEN standard THEN ${start} ELSE CAST(time AS ${zoned}) END AS since
      FROM object_value WHERE owner IN (SELECT id FROM own) AND name IS NOT NULL AND value IS NOT NULL),
    begun AS (SELECT *, bool_or(standard) OVER (PARTITION BY owner) AS begins, min(since) OVER (PARTITION BY owner) AS earliest FROM dated),
    held AS (SELECT *, CASE WHEN begins THEN standard ELSE since = earliest END AS first FROM begun),
    filled AS (SELECT owner, min(since) FILTER (WHERE first) AS since FROM held GROUP BY owner),
    listed AS (
      SELECT own.place, own.id, own.type, NULL AS changed, coalesce(since, ${start}) AS since${list(first)}
      FROM own LEFT JOIN filled ON filled.owner = own.id
      ${joinValues(
        attributes.map((attribute) => attribute.name),
        '(SELECT * FROM held WHERE first)',
        'own.id',
      )}
      UNION ALL SELECT own.place, own.id, own.type, name, since${list(changed)}
      FROM held JOIN own ON own.id = held.owner WHERE NOT first
    )
    SELECT id AS ocel_id, type AS ocel_type, since AS ocel_time, changed AS ocel_changed_field${list(typed)}
    FROM listed ORDER BY place, changed IS NOT NULL, since, changed`;
}

function relationsSql(kind: 'event' | 'object'): string {
  const [from, to] = kind === 'event' ? ['event', 'object'] : ['source', 'target'];
  return `SELECT one.id AS ocel_${from}_id, one.type AS ocel_${from}_type, other.id AS ocel_${to}_id, other.type AS ocel_${to}_type,
      coalesce(held.qualifier, '') AS ocel_qualifier
    FROM ${kind}_object AS held JOIN ${kind} AS one ON one.id = held.source JOIN object AS other ON other.id = held.target
    ORDER BY held.rowid`;
}
