import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { EntitySource, Relationship } from '../../model/entity-graph.ts';
import { sqlOfEntry } from '../../model/entry-columns.ts';
import type { Problem } from '../../model/problem.ts';
import type { LocatedSql } from '../../model/source-range.ts';
import { joinedObjects } from '../../query/joined-objects.ts';
import { expressionsOf } from '../../query/relationship-expressions.ts';
import { identifierKey } from '../../query/sql-names.ts';
import { type SqlToken, sqlTokens } from '../../query/sql-tokens.ts';
import { nearestIdentifiers } from '../sql/nearest-identifier.ts';
import type { CheckContext, GraphCheck } from './check.ts';

/**
 * Columns of files whose names differ only by case: SQL reads each spelling as the first of them, so custom SQL has to
 * write its name as the catalog does.
 */
export const namesByCase: GraphCheck = {
  codes: ['unknown-column'],
  scope: 'linked',
  check: (context) => [
    ...context.graph.elements.flatMap((element) => problemsOfEntry(element, context)),
    ...context.graph.relationships.flatMap((relationship) => problemsOfRelationship(relationship, context)),
  ],
};

/** The same in entries of `entities`. */
export const namesByCaseOfMasterData: GraphCheck = {
  codes: namesByCase.codes,
  check: (context) => context.graph.entities.flatMap((entry) => problemsOfEntry(entry, context)),
};

/** A data object in SQL under a name, in the form in which the dialect compares names. */
interface NamedObject {
  readonly alias: string;
  readonly object: DataObject;
}

/** Custom SQL with the data objects that it reads. */
interface SqlScope {
  readonly tables: readonly NamedObject[];
  /** Whether names without an alias may be columns of these. */
  readonly hasBareNames: boolean;
  readonly catalog: Catalog;
}

function problemsOfEntry(entry: EntitySource, context: CheckContext): readonly Problem[] {
  const catalog = context.catalog && catalogOf(context.catalog, entry);
  if (!catalog || !hasNumbered(catalog)) return [];
  const object = entry.dataObject && findDataObject(catalog, entry.dataObject.value);
  const own = object ? [{ alias: identifierKey(object.path.at(-1) ?? object.name, catalog.dialect), object }] : [];
  const joined = joinedObjects(entry.joins?.value ?? '', catalog);
  const scope = { tables: [...own, ...joined], hasBareNames: true, catalog };
  return sqlOfEntry(entry).flatMap((sql) => problemsIn(sql, scope, context));
}

function problemsOfRelationship(relationship: Relationship, context: CheckContext): readonly Problem[] {
  const { catalog, index } = context;
  const sql = expressionsOf(relationship);
  if (!catalog || sql.length === 0) return [];
  const { source, target, crossTable } = relationship;
  const ends = {
    source: source && index.endNamed(source.value),
    target: target && index.endNamed(target.value),
    cross: crossTable,
  };
  const tables = Object.entries(ends).flatMap(([alias, entry]) => {
    const own = entry && catalogOf(catalog, entry);
    const object = own && entry.dataObject && findDataObject(own, entry.dataObject.value);
    return object ? [{ alias, object }] : [];
  });
  const own = catalogOf(catalog, ends.source) ?? catalog;
  return sql.flatMap((each) => problemsIn(each, { tables, hasBareNames: false, catalog: own }, context));
}

function hasNumbered({ objects }: Catalog): boolean {
  return objects.some(({ columns }) => columns.some(({ field }) => field !== undefined));
}

function problemsIn(sql: LocatedSql, scope: SqlScope, { parsed }: CheckContext): readonly Problem[] {
  const { catalog } = scope;
  const { lexis } = dialectNamed(catalog.dialect);
  const tokens = sqlTokens(sql.value, lexis).filter(({ kind }) => kind !== 'comment');
  const tables = [...scope.tables, ...joinedObjects(sql.value, catalog, ['from', 'join'])];
  return tokens.flatMap((token, at): readonly Problem[] => {
    const read = tablesOf(tokens, at, { ...scope, tables });
    const names = read.flatMap(({ object }) => misread(token.text, object, catalog));
    const [found] = names;
    if (!found) return [];
    const { other, field, name } = found;
    const range = {
      start: sql.sourceOffsets[token.start] ?? sql.range.start,
      end: sql.sourceOffsets[token.end] ?? sql.range.end,
    };
    const message = `"${token.text}" is not clear: ${other} and ${field} of the file differ only by case. Write ${other}, or ${name} for ${field}.`;
    const fixes = nearestIdentifiers(
      token.text === field ? [name, other] : [other, name],
      range,
      parsed.yaml.text,
      catalog,
    );
    return [{ code: 'unknown-column', severity: 'error', message, range, ...fixes }];
  });
}

/** The tables whose column a token may name; none for tokens that name something else. */
function tablesOf(tokens: readonly SqlToken[], at: number, scope: SqlScope): readonly NamedObject[] {
  const [token, before, after] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if ((token?.kind !== 'word' && token?.kind !== 'quoted') || after?.text === '.' || after?.text === '(') return [];
  if (before?.text !== '.')
    return scope.hasBareNames && !/^(?:as|from|join)$/i.test(before?.text ?? '') ? scope.tables : [];
  const alias = identifierKey(tokens[at - 2]?.text ?? '', scope.catalog.dialect);
  return scope.tables.filter((table) => identifierKey(table.alias, scope.catalog.dialect) === alias);
}

/** The columns that a name may mean, if it is not written like that which SQL reads. */
function misread(written: string, { columns }: DataObject, { dialect }: Catalog) {
  const key = identifierKey(written, dialect);
  return columns.flatMap(({ name, field }) => {
    if (field === undefined || identifierKey(field, dialect) !== key) return [];
    const other = columns.find((column) => identifierKey(column.name, dialect) === key)?.name;
    return other === undefined || other === written ? [] : [{ other, field, name }];
  });
}
