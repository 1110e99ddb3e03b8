import { timeRoles } from '../../../../protocol/fields/element.ts';
import { type Catalog, type DataObject, type SqlDialect, findDataObject } from '../../catalog/catalog.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { EntitySource, Relationship } from '../../model/entity-graph.ts';
import { timeExpression } from '../../model/time-expression.ts';
import type { LocatedSql } from '../../model/source-range.ts';
import { containmentProblems, usableSql } from '../../query/check-sql.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { columnsAreKnown } from '../../query/element-scope.ts';
import { printExpression } from '../../query/print-query.ts';
import { quotePath } from '../../query/quote.ts';
import { identifierKey, mentionedNames } from '../../query/sql-names.ts';
import { createSqlWriter, type SqlWriter } from '../../query/sql-writer.ts';
import { columnsOf } from '../column-scope.ts';
import type { SqlQuestion, SqlTable } from './sql-validator.ts';

/** A statement with the positions of custom SQL in it. */
export interface PlacedQuestion extends SqlQuestion {
  readonly printed: Pick<CompiledQuery, 'sql' | 'fragments' | 'references'>;
}

/** Syntax-only statements, one per piece of custom SQL. */
export function syntaxQuestions(
  entry: EntitySource | Relationship,
  dialect: Pick<Dialect, 'identifiers' | 'lexis' | 'name'>,
): readonly PlacedQuestion[] {
  if ('mappings' in entry) {
    return expressionsOf(entry, dialect.name).map((sql) =>
      question((writer) => {
        writer.text('SELECT 1 FROM t WHERE (\n');
        printExpression(writer, sql, dialect);
        writer.text('\n)');
      }),
    );
  }
  const [joins, where] = [contained(entry.joins, dialect.name), contained(entry.where, dialect.name)];
  return [
    ...expressionsOfTimes(entry, dialect.name).map((sql) =>
      question((writer) => writeComputed(writer, sql, ' FROM t')),
    ),
    ...(where ? [question((writer) => writeWhere(writer, 'SELECT 1 FROM t', where))] : []),
    ...(joins ? [question((writer) => writeJoins(writer, 'SELECT 1 FROM t', joins))] : []),
  ];
}

/**
 * Statements that resolve names: one for the joins and the filter of an element, one per expression. None of
 * tables whose columns are not known.
 * @param unreadable where SQL with syntax errors starts, which has no names
 */
export function nameQuestions(
  entry: EntitySource | Relationship,
  ends: readonly (EntitySource | undefined)[],
  catalog: Catalog,
  unreadable: ReadonlySet<number>,
): readonly PlacedQuestion[] {
  if (!('mappings' in entry)) return elementQuestions(entry, catalog, unreadable);
  const tables = sideTables(entry, ends, catalog);
  if (!tables) return [];
  const dialect = dialectNamed(catalog.dialect);
  const names = tables.map(({ path }) => quotePath(path, dialect)).join(', ');
  const isSide = (name: string | undefined): boolean =>
    tables.some(({ path }) => path[0] === identifierKey(name ?? '', catalog.dialect));
  const readable = expressionsOf(entry, catalog.dialect).filter((sql) => !unreadable.has(sql.range.start));
  return readable.map((sql) =>
    question(
      (writer) => {
        writer.text(`SELECT 1 FROM ${names} WHERE (\n`);
        printExpression(writer, sql, dialect);
        writer.text('\n)');
      },
      [...tables, ...tablesIn([sql], catalog).filter(({ path }) => !isSide(path.at(-1)))],
    ),
  );
}

function elementQuestions(
  element: EntitySource,
  catalog: Catalog,
  unreadable: ReadonlySet<number>,
): readonly PlacedQuestion[] {
  const readable = (sql: LocatedSql | undefined): LocatedSql | undefined => {
    const inPlace = contained(sql, catalog.dialect);
    return inPlace && !unreadable.has(inPlace.range.start) ? inPlace : undefined;
  };
  const [joins, where] = [readable(element.joins), readable(element.where)];
  const object = element.dataObject && findDataObject(catalog, element.dataObject.value);
  // Joins give names to all other SQL of the element.
  const isBroken = usableSql(element.joins) !== undefined && !joins;
  const computed = expressionsOfTimes(element, catalog.dialect).filter((sql) => !unreadable.has(sql.range.start));
  if ((!joins && !where && computed.length === 0) || isBroken || !columnsAreKnown(object)) return [];
  const alias = object.path.at(-1) ?? object.name;
  const dialect = dialectNamed(catalog.dialect);
  const from = ` FROM ${quotePath(object.path, dialect)} AS ${dialect.identifiers.quote(alias)}`;
  const tables = [...tablesNamed(lastName(object), catalog), ...tablesIn([joins, where, ...computed], catalog)];
  const ofRows = question((writer) => {
    if (joins) writeJoins(writer, `SELECT 1${from}`, joins);
    if (where) writeWhere(writer, joins ? '' : `SELECT 1${from}`, where);
  }, tables);
  const ofTimes = computed.map((sql): PlacedQuestion => {
    const asked = question((writer) => {
      writeComputed(writer, sql, from);
      if (joins) writeJoins(writer, '', joins);
    }, tables);
    return { ...asked, gives: 'time' };
  });
  return [...(joins || where ? [ofRows] : []), ...ofTimes];
}

/** Relationship ends as tables, with joined columns; undefined if one is unknown. */
function sideTables(
  { source, target, crossTable }: Relationship,
  ends: readonly (EntitySource | undefined)[],
  catalog: Catalog,
): readonly SqlTable[] | undefined {
  const table = (name: string, dataObject: string | undefined, joins: string | undefined): SqlTable[] => {
    const object = dataObject === undefined ? undefined : findDataObject(catalog, dataObject);
    if (!columnsAreKnown(object)) return [];
    const columns = columnsOf(dataObject, joins, catalog).map((each) => ({ name: each.name, type: each.column.type }));
    return [{ path: [name], bare: true, columns }];
  };
  const [from, to] = ends;
  const tables = [
    ...table('source', source && from?.dataObject?.value, from?.joins?.value),
    ...table('target', target && to?.dataObject?.value, to?.joins?.value),
    ...(crossTable ? table('cross', crossTable.dataObject?.value, undefined) : []),
  ];
  return tables.length === (crossTable ? 3 : 2) ? tables : undefined;
}

/** The catalog's tables that SQL may read. */
function tablesIn(pieces: readonly (LocatedSql | undefined)[], catalog: Catalog): readonly SqlTable[] {
  const tables = tablesByName(catalog);
  const names = pieces.flatMap((sql) => (sql ? [...mentionedNames(sql.value, catalog.dialect)] : []));
  return names.flatMap((name) => tables.get(name) ?? []);
}

function tablesNamed(name: string, catalog: Catalog): readonly SqlTable[] {
  return tablesByName(catalog).get(identifierKey(name, catalog.dialect)) ?? [];
}

const knownTables = new WeakMap<Catalog, ReadonlyMap<string, readonly SqlTable[]>>();

/** Indexed, because a catalog may have thousands and each entry looks up some. */
function tablesByName(catalog: Catalog): ReadonlyMap<string, readonly SqlTable[]> {
  const known = knownTables.get(catalog);
  if (known) return known;
  const tables = new Map<string, SqlTable[]>();
  for (const object of catalog.objects.filter(columnsAreKnown)) {
    const { path, columns } = object;
    const table = {
      path,
      bare: object.name === lastName(object),
      columns: columns.map(({ name, type }) => ({ name, type })),
    };
    const key = identifierKey(lastName(object), catalog.dialect);
    const others = tables.get(key);
    if (others) others.push(table);
    else tables.set(key, [table]);
  }
  knownTables.set(catalog, tables);
  return tables;
}

function lastName({ path, name }: DataObject): string {
  return path.at(-1) ?? name;
}

function writeJoins(writer: SqlWriter, before: string, joins: LocatedSql): void {
  writer.text(`${before}\n`);
  writer.fragment(joins);
  writer.text('\n');
}

function writeComputed(writer: SqlWriter, expression: LocatedSql, from: string): void {
  writer.text('SELECT (\n');
  writer.fragment(expression);
  writer.text(`\n)${from}`);
}

/** The SQL expressions of the times of an element that are contained in their place. */
function expressionsOfTimes(element: EntitySource, dialect: SqlDialect): readonly LocatedSql[] {
  if ('isMasterData' in element) return [];
  return timeRoles.flatMap((role) => contained(timeExpression(element, role), dialect) ?? []);
}

function writeWhere(writer: SqlWriter, before: string, where: LocatedSql): void {
  writer.text(`${before} WHERE (\n`);
  writer.fragment(where);
  writer.text('\n)');
}

function question(write: (writer: SqlWriter) => void, tables?: readonly SqlTable[]): PlacedQuestion {
  const writer = createSqlWriter();
  write(writer);
  const printed = writer.finish();
  return { statement: printed.sql, printed, ...(tables ? { tables: [...new Set(tables)] } : {}) };
}

function expressionsOf({ mappings }: Relationship, dialect: SqlDialect): readonly LocatedSql[] {
  return mappings.flatMap((mapping) =>
    mapping.kind === 'expression' ? (contained(mapping.expression, dialect) ?? []) : [],
  );
}

/** SQL that cannot be embedded has its own rule. */
function contained(sql: LocatedSql | undefined, dialect: SqlDialect): LocatedSql | undefined {
  // The untrimmed text has its tokens already.
  return containmentProblems(sql, dialect).length === 0 ? usableSql(sql) : undefined;
}
