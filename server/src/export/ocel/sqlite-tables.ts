import type { ValueType } from '../../graph-schema/value-type.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { LogShape, OcelTypeShape } from './log-shape.ts';

/** An event or object type with its table. */
export interface SqliteType {
  readonly kind: 'event' | 'object';
  /** Its name: `ocel_type`. */
  readonly name: string;
  /** `ocel_type_map`: suffix of its table name after `event_` or `object_`. */
  readonly suffix: string;
  readonly table: string;
  readonly columns: readonly SqliteColumn[];
}

interface SqliteColumn {
  /** Column name; differs from the attribute's if SQLite would not distinguish two. */
  readonly name: string;
  readonly type: ValueType;
  /** Key of this attribute in transferred rows. */
  readonly key: string;
  /** `v1`, `v2`, … of `createObjectValues`, for object types. */
  readonly valueColumn: string;
}

/** The types of a log with unique table and column names. */
export function sqliteTypes({ eventTypes, objectTypes, eventAttributes }: LogShape): readonly SqliteType[] {
  const suffixes = new Map<string, Set<string>>();
  const typeOf = (kind: SqliteType['kind'], { name, attributes }: OcelTypeShape): SqliteType => {
    const taken = suffixes.get(kind) ?? new Set(['map_type', 'object']);
    suffixes.set(kind, taken);
    const suffix = freeName(typeWord(name), taken);
    const columns = new Set(['ocel_id', 'ocel_time', 'ocel_changed_field']);
    return {
      kind,
      name,
      suffix,
      table: `${kind}_${suffix}`,
      columns: attributes.map((attribute, index) => ({
        name: freeName(attribute.name, columns),
        type: attribute.type,
        key: `a${kind === 'event' ? eventAttributes.indexOf(attribute.name) : index}`,
        valueColumn: `v${index + 1}`,
      })),
    };
  };
  return [...eventTypes.map((each) => typeOf('event', each)), ...objectTypes.map((each) => typeOf('object', each))];
}

/** CamelCase of letters and digits: table names without quotes. */
function typeWord(name: string): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? ['Type'];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** SQLite names are case-insensitive. */
function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) free = `${name}_${number}`;
  taken.add(free.toLowerCase());
  return free;
}

const columnTypes: Readonly<Record<ValueType, string>> = {
  string: 'TEXT',
  integer: 'INTEGER',
  float: 'REAL',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
};

export function createTablesSql(types: readonly SqliteType[]): readonly string[] {
  const fixed = [
    'CREATE TABLE event_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT)',
    'CREATE TABLE object_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT)',
    'CREATE TABLE event (ocel_id TEXT PRIMARY KEY, ocel_type TEXT REFERENCES event_map_type (ocel_type))',
    'CREATE TABLE object (ocel_id TEXT PRIMARY KEY, ocel_type TEXT REFERENCES object_map_type (ocel_type))',
    `CREATE TABLE event_object (ocel_event_id TEXT REFERENCES event (ocel_id), ocel_object_id TEXT REFERENCES object (ocel_id),
      ocel_qualifier TEXT, PRIMARY KEY (ocel_event_id, ocel_object_id, ocel_qualifier))`,
    `CREATE TABLE object_object (ocel_source_id TEXT REFERENCES object (ocel_id), ocel_target_id TEXT REFERENCES object (ocel_id),
      ocel_qualifier TEXT, PRIMARY KEY (ocel_source_id, ocel_target_id, ocel_qualifier))`,
  ];
  const own = types.map(({ kind, table, columns }) => {
    const id = kind === 'event' ? 'TEXT PRIMARY KEY REFERENCES event (ocel_id)' : 'TEXT REFERENCES object (ocel_id)';
    const declared = [
      `ocel_id ${id}`,
      'ocel_time TIMESTAMP',
      ...columns.map(({ name, type }) => `${quoteIdentifier(name)} ${columnTypes[type]}`),
      ...(kind === 'object' ? ['ocel_changed_field TEXT'] : []),
    ];
    return `CREATE TABLE ${quoteIdentifier(table)} (${declared.join(', ')})`;
  });
  return [...fixed, ...own];
}
