import { doubleQuoted, singleQuoted } from '../../dialects/standard/quoting.ts';
import type { LogCheck } from '../log-check.ts';

/** The fixed tables of every log, with their columns in order. */
export const fixedTables = [
  { name: 'event_map_type', columns: ['ocel_type', 'ocel_type_map'], key: ['ocel_type'], references: [] },
  { name: 'object_map_type', columns: ['ocel_type', 'ocel_type_map'], key: ['ocel_type'], references: [] },
  {
    name: 'event',
    columns: ['ocel_id', 'ocel_type'],
    key: ['ocel_id'],
    references: [['ocel_type', 'event_map_type', 'ocel_type']],
  },
  {
    name: 'object',
    columns: ['ocel_id', 'ocel_type'],
    key: ['ocel_id'],
    references: [['ocel_type', 'object_map_type', 'ocel_type']],
  },
  {
    name: 'event_object',
    columns: ['ocel_event_id', 'ocel_object_id', 'ocel_qualifier'],
    key: ['ocel_event_id', 'ocel_object_id', 'ocel_qualifier'],
    references: [
      ['ocel_event_id', 'event', 'ocel_id'],
      ['ocel_object_id', 'object', 'ocel_id'],
    ],
  },
  {
    name: 'object_object',
    columns: ['ocel_source_id', 'ocel_target_id', 'ocel_qualifier'],
    key: ['ocel_source_id', 'ocel_target_id', 'ocel_qualifier'],
    references: [
      ['ocel_source_id', 'object', 'ocel_id'],
      ['ocel_target_id', 'object', 'ocel_id'],
    ],
  },
] as const;

const kinds = ['event', 'object'] as const;

/**
 * Checks of the relational schema, in SQLite's SQL: the fixed tables and, with `readable`, the tables of the types with
 * their columns, keys and references.
 */
export function sqliteChecks(readable: boolean): readonly LogCheck[] {
  return [...fixedTableChecks, ...(readable ? kinds.flatMap(typeTableChecks) : [])];
}

/** SQLite ignores case in names of tables and columns. */
const isNamed = (name: string, wanted: string): string => `${name} = ${wanted} COLLATE NOCASE`;
const tableNamed = (name: string): string =>
  `SELECT 1 FROM sqlite_master WHERE type = 'table' AND ${isNamed('name', `'${name}'`)}`;
const column = (table: string, name: string, condition = '1'): string =>
  `SELECT 1 FROM pragma_table_info(${table}) WHERE ${isNamed('name', `'${name}'`)} AND ${condition}`;
const reference = (table: string, from: string, to: string, target: string): string =>
  `SELECT 1 FROM pragma_foreign_key_list(${table}) WHERE ${isNamed('"from"', `'${from}'`)} AND ${isNamed('"table"', `'${to}'`)}
    AND ${isNamed(`coalesce("to", '${target}')`, `'${target}'`)}`;
/** Reports a missing item once, although it would be found in several places. */
const unless = (found: string, example: string, given?: string): string =>
  `SELECT ${singleQuoted(example)} AS example WHERE ${given === undefined ? '' : `EXISTS (${given}) AND `}NOT EXISTS (${found})`;

const fixedTableChecks: readonly LogCheck[] = [
  {
    name: 'The six fixed tables are there',
    sql: fixedTables.map(({ name }) => unless(tableNamed(name), name)).join(' UNION ALL '),
  },
  ...fixedTables.flatMap(({ name, columns, key, references }): LogCheck[] => {
    const own = (each: string, condition?: string): string => column(singleQuoted(name), each, condition);
    return [
      {
        name: `${name} has the columns ${columns.join(', ')}`,
        sql: columns.map((each) => unless(own(each), each, tableNamed(name))).join(' UNION ALL '),
      },
      {
        name: `${name} has the primary key ${key.join(', ')}`,
        sql: [
          ...key.map((each) => unless(own(each, 'pk > 0'), each, own(each))),
          `SELECT name AS example FROM pragma_table_info(${singleQuoted(name)}) WHERE pk > ${key.length}`,
        ].join(' UNION ALL '),
      },
      ...references.map(([from, to, target]) => ({
        name: `${name}.${from} refers to ${to}`,
        sql: unless(reference(singleQuoted(name), from, to, target), `${name}.${from}`, own(from)),
      })),
    ];
  }),
];

function typeTableChecks(kind: (typeof kinds)[number]): readonly LogCheck[] {
  const tables = `SELECT map.ocel_type AS type, '${kind}_' || map.ocel_type_map AS name FROM ${kind}_map_type AS map`;
  const existing = `SELECT own.name AS name FROM (${tables}) AS own JOIN sqlite_master AS found ON found.type = 'table' AND ${isNamed('found.name', 'own.name')}`;
  const lacks = (found: string, given = '1'): string =>
    `SELECT own.name AS example FROM (${existing}) AS own WHERE ${given} AND NOT EXISTS (${found})`;
  const hasId = `EXISTS (${column('own.name', 'ocel_id')})`;
  const fixed = `'${kind}_map_type', '${kind}_object'`;
  const single = 'NOT EXISTS (SELECT 1 FROM pragma_table_info(own.name) WHERE pk > 1)';
  return [
    {
      name: `Every ${kind} type has its table`,
      sql: `SELECT coalesce(own.name, own.type, 'a type without name') AS example FROM (${tables}) AS own
        WHERE own.name IS NULL OR own.name COLLATE NOCASE NOT IN (SELECT name FROM sqlite_master WHERE type = 'table')`,
    },
    {
      name: `Every table called ${kind}_… belongs to ${kind === 'event' ? 'an event type' : 'an object type'}`,
      sql: `SELECT name AS example FROM sqlite_master WHERE type = 'table' AND name LIKE '${kind}\\_%' ESCAPE '\\'
        AND name COLLATE NOCASE NOT IN (${fixed}) AND name COLLATE NOCASE NOT IN (SELECT own.name FROM (${tables}) AS own WHERE own.name IS NOT NULL)`,
    },
    { name: `Tables of ${kind} types have ocel_id`, sql: lacks(column('own.name', 'ocel_id')) },
    {
      name: `Tables of ${kind} types have ocel_time, a TIMESTAMP`,
      sql: lacks(column('own.name', 'ocel_time', "upper(type) = 'TIMESTAMP'")),
    },
    ...(kind === 'event'
      ? [
          {
            name: 'Tables of event types have the primary key ocel_id',
            sql: lacks(column('own.name', 'ocel_id', `pk = 1 AND ${single}`), hasId),
          },
        ]
      : []),
    {
      name: `Tables of ${kind} types refer to ${kind}`,
      sql: lacks(reference('own.name', 'ocel_id', kind, 'ocel_id'), hasId),
    },
    {
      name: `Columns of ${kind} types are TEXT, TIMESTAMP, INTEGER, REAL or BOOLEAN`,
      sql: `SELECT own.name || '.' || held.name || ' ' || held.type AS example FROM (${existing}) AS own, pragma_table_info(own.name) AS held
        WHERE upper(held.type) NOT IN ('TEXT', 'TIMESTAMP', 'INTEGER', 'REAL', 'BOOLEAN')`,
    },
  ];
}

/** Checks of the rows of one type. */
export function typeRowChecks({ kind, type, table, columns, changedField, hasTimes }: TypeTable): readonly LogCheck[] {
  const quoted = doubleQuoted(table);
  const own = `SELECT ocel_id FROM ${kind} WHERE ocel_type = ${singleQuoted(type)} AND ocel_id IS NOT NULL`;
  const foreign: LogCheck = {
    name: `Rows of ${table} are of ${kind}s of the type ${type}`,
    sql: `SELECT coalesce(ocel_id, 'without id') AS example FROM ${quoted} WHERE ocel_id IS NULL OR ocel_id NOT IN (${own})`,
  };
  if (kind === 'event') return [foreign];
  const filled = columns.map(
    (name) => ` OR (${doubleQuoted(name)} IS NOT NULL AND ${changedField} <> ${singleQuoted(name)} COLLATE NOCASE)`,
  );
  return [
    foreign,
    {
      name: `Every object of the type ${type} has one row of first values`,
      sql: `SELECT ocel_id AS example FROM (${own}) WHERE ocel_id NOT IN (SELECT ocel_id FROM ${quoted} WHERE ${changedField} IS NULL AND ocel_id IS NOT NULL)
        UNION ALL SELECT ocel_id FROM ${quoted} WHERE ${changedField} IS NULL GROUP BY ocel_id HAVING count(*) > 1`,
    },
    ...(hasTimes
      ? [
          {
            name: `First values in ${table} are of 1970-01-01 00:00:00`,
            sql: `SELECT ocel_id || ' at ' || coalesce(ocel_time, 'no time') AS example FROM ${quoted}
              WHERE ${changedField} IS NULL AND coalesce(ocel_time, '') NOT LIKE '1970-01-01_00:00:00%'`,
          },
        ]
      : []),
    {
      name: `Later rows of ${table} name the changed field and fill nothing else`,
      sql: `SELECT ocel_id || ', ' || ${changedField} AS example FROM ${quoted} WHERE ${changedField} IS NOT NULL
        AND (${changedField} COLLATE NOCASE NOT IN (${columns.map(singleQuoted).join(', ')})${filled.join('')})`,
    },
  ];
}

/** The actual table of a type. */
interface TypeTable {
  readonly kind: (typeof kinds)[number];
  readonly type: string;
  readonly table: string;
  /** Its attribute columns. */
  readonly columns: readonly string[];
  /** SQL of the name of the changed attribute; `NULL` in a table without changes. */
  readonly changedField: string;
  /** It has a column `ocel_time`. */
  readonly hasTimes: boolean;
}
