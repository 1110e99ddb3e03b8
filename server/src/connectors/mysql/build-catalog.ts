import type { CatalogContent, Column, DataObject, ForeignKey } from '../../catalog/catalog.ts';
import type { CatalogRows, ColumnRow, KeyRow, ObjectRow } from './catalog-queries.ts';
import { columnTypeOf } from './column-type.ts';
import type { MysqlConfig } from './read-settings.ts';

/** Puts the rows of the catalog queries together. Objects that the user may not select from are left out, with a warning. */
export function buildCatalog(config: MysqlConfig, rows: CatalogRows, readAt: Date): CatalogContent {
  const isSame = sameName(rows);
  const [first = ''] = config.databases;
  const name = (db: string, table: string): string => (isSame(db, first) ? table : `${db}.${table}`);
  const place = ({ db, tab }: { readonly db: string; readonly tab: string }): string => `${db}\0${tab}`;
  const columnsOf = groupBy(rows.columns, place);
  const keysOf = groupBy(rows.keys, place);
  const amounts = new Map(rows.statistics.map((row) => [`${place(row)}\0${row.col}`, Number(row.amount)]));
  const json = new Set(rows.json.map((row) => `${place(row)}\0${/[`"]([^]*)[`"]/.exec(row.clause)?.[1] ?? ''}`));

  const unreadable: string[] = [];
  const objects = rows.objects.flatMap((row): readonly DataObject[] => {
    const at = `${row.db}\0${row.name}`;
    const own = (columnsOf.get(at) ?? []).filter(({ privileges }) => /\bselect\b/i.test(privileges));
    if (own.length === 0) {
      unreadable.push(name(row.db, row.name));
      return [];
    }
    const keys = keysOf.get(at) ?? [];
    const primaryKey = keys.filter((key) => key.target === null).map(({ col }) => col);
    const foreignKeys = foreignKeysOf(keys, name);
    const columns = own.map((column): Column => {
      const amount = amounts.get(`${at}\0${column.name}`);
      const isJson = json.has(`${at}\0${column.name}`);
      return {
        ...columnOf(column, isJson, primaryKey),
        ...referenceOf(column.name, foreignKeys),
        ...(amount !== undefined && { distinctEstimate: amount }),
      };
    });
    return [
      {
        name: name(row.db, row.name),
        kind: row.kind.includes('VIEW') ? 'view' : 'table',
        path: [row.db, row.name],
        ...(row.comment !== '' && !row.kind.includes('VIEW') && { comment: row.comment }),
        columns,
        primaryKey: primaryKey.every((key) => columns.some((column) => column.name === key)) ? primaryKey : [],
        foreignKeys,
        statistics: {
          columnCount: columns.length,
          ...(row.estimate !== null && { rowEstimate: Number(row.estimate) }),
          ...(row.size !== null && { dataSize: Number(row.size) }),
        },
      },
    ];
  });
  const order = new Map(config.databases.map((db, index) => [db.toLowerCase(), index]));
  const placeOf = ({ path: [db = ''] }: DataObject): number => order.get(db.toLowerCase()) ?? order.size;
  return {
    objects: objects.toSorted((left, right) => placeOf(left) - placeOf(right)),
    complete: true,
    ...(unreadable.length > 0 && { unreadable }),
    readAt: readAt.toISOString(),
    warnings: warningsOf(config, rows, unreadable, name),
  };
}

/** Compares names of databases like the server does. */
function sameName({ databases }: CatalogRows): (left: string, right: string) => boolean {
  const isExact = databases.every(({ cases }) => Number(cases) === 0);
  return (left, right) => (isExact ? left === right : left.toLowerCase() === right.toLowerCase());
}

function columnOf(
  { name, type, nullable, comment, collation }: ColumnRow,
  isJson: boolean,
  primaryKey: readonly string[],
): Column {
  const shownType = isJson ? 'json' : type;
  const { sense } = columnTypeOf(shownType);
  const values = listedValues(type);
  return {
    name,
    type: shownType,
    sense,
    nullable: Number(nullable) === 1,
    primaryKey: primaryKey.includes(name),
    ...(collation !== null && sense === 'text' && { collation }),
    ...(comment !== '' && { comment }),
    ...(values && { values: values.map((value) => ({ value })) }),
  };
}

function foreignKeysOf(keys: readonly KeyRow[], name: (db: string, table: string) => string): readonly ForeignKey[] {
  const foreign = groupBy(
    keys.filter(({ target }) => target !== null),
    (key) => key.name,
  );
  return [...foreign].map(([constraint, parts]) => ({
    name: constraint,
    columns: parts.map(({ col }) => col),
    references: {
      dataObject: name(parts[0]?.target_db ?? '', parts[0]?.target ?? ''),
      columns: parts.map(({ target_col: column }) => column ?? ''),
    },
  }));
}

/** Of several foreign keys of a column, the one with the fewest columns is the most specific. */
function referenceOf(column: string, foreignKeys: readonly ForeignKey[]): Pick<Column, 'references'> {
  const [key] = foreignKeys
    .filter(({ columns }) => columns.includes(column))
    .toSorted((left, right) => left.columns.length - right.columns.length);
  const target = key?.references.columns[key.columns.indexOf(column)];
  return key && target !== undefined ? { references: { dataObject: key.references.dataObject, column: target } } : {};
}

/** Engines whose tables are part of a snapshot. */
const snapshotEngines: ReadonlySet<string> = new Set(['InnoDB', 'ROCKSDB', 'ndbcluster']);

function warningsOf(
  config: MysqlConfig,
  { databases, objects }: CatalogRows,
  unreadable: readonly string[],
  name: (db: string, table: string) => string,
): readonly string[] {
  const found = new Set(databases.map((row) => row.name.toLowerCase()));
  const missing = config.databases.filter((db) => !found.has(db.toLowerCase()));
  const loose = objects.filter(
    ({ kind, engine }: ObjectRow) => kind === 'BASE TABLE' && engine !== null && !snapshotEngines.has(engine),
  );
  return [
    ...missing.map((db) => `Database ${db} does not exist, or ${config.user} may not see it.`),
    ...(unreadable.length > 0
      ? [
          `${unreadable.length} objects are left out because ${config.user} may not select from them: ${few(unreadable)}.`,
        ]
      : []),
    ...(loose.length > 0
      ? [
          `${loose.length} tables have an engine without snapshots, so that an import may see changes made while it reads: ${few(loose.map((row) => `${name(row.db, row.name)} (${row.engine ?? ''})`))}.`,
        ]
      : []),
  ];
}

function few(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
}

function groupBy<Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** The values of a type such as `enum('open','it''s')`; undefined for other types. A SET holds several of its values. */
function listedValues(type: string): readonly string[] | undefined {
  const list = /^enum\(([^]*)\)$/i.exec(type)?.[1];
  if (list === undefined) return undefined;
  return [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = '']) => value.replaceAll("''", "'"));
}
