import type { Catalog, Column, ColumnSense } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { Located, LocatedSql } from '../model/source-range.ts';
import type { EndColumn, EndQuery } from './compiled-query.ts';
import { type ElementScope, resolveColumn, rowSource, textsOf, userSql } from './element-scope.ts';
import { neededObjects } from './needed-objects.ts';
import { objectReads } from './object-reads.ts';
import { printElementSelect } from './print-query.ts';
import type { ExpressionItem, SelectItem } from './query-tree.ts';
import { resultNames } from './result-names.ts';
import { zonesOf } from './result-zones.ts';
import { selectColumns } from './select-columns.ts';
import { mentionedNames, quotedColumnsOf } from './sql-names.ts';
import type { Problem } from '../model/problem.ts';

/** The rows that one end of a relationship across data sources, or its cross table, contributes. */
export interface EndRows {
  readonly end: 'source' | 'target' | 'cross';
  readonly dataObject: string;
  readonly scope: ElementScope;
  /** Catalog of its own data source. */
  readonly catalog: Catalog;
  /** The zone of its times without one, if it is not that of the data source. */
  readonly timeZone?: string | undefined;
}

type Form = EndColumn['form'];

/** A column of an end in the form in which the join needs it. */
interface NeededColumn {
  readonly column: Located<string>;
  readonly form: Form;
  readonly as: string;
}

/** The columns of an end that its join needs. */
export interface EndColumns {
  /** The name of a column in the view of the end. */
  nameOf(column: Located<string>, form: Form): string;
  /** The columns requested so far, and the columns in expressions. */
  readonly columns: readonly NeededColumn[];
}

/** Collects the columns of an end. Values keep their names, because expressions use them. */
export function endColumns(rows: EndRows, expressions: readonly LocatedSql[]): EndColumns {
  const needed = new Map<string, NeededColumn>();
  const nameOf = (column: Located<string>, form: Form): string => {
    const identity = `${form} ${column.value}`;
    const known = needed.get(identity);
    if (known) return known.as;
    const wanted = form === 'value' ? column.value : `${column.value} as ${form}`;
    const taken = [...needed.values()].map(({ as }) => as);
    const as = resultNames([wanted], 'duckdb', taken)[0] ?? wanted;
    needed.set(identity, { column, form, as });
    return as;
  };
  for (const column of mentionedColumns(rows, expressions)) nameOf(column, 'value');
  return {
    nameOf,
    get columns() {
      return [...needed.values()];
    },
  };
}

/** The columns of an end that expressions may read: too many rather than too few. */
function mentionedColumns({ end, scope }: EndRows, expressions: readonly LocatedSql[]): readonly Located<string>[] {
  return expressions.flatMap(({ value, range }) => {
    const names = mentionedNames(value, 'duckdb');
    const { key } = dialectNamed('duckdb').identifiers;
    const own = (scope.object?.columns ?? []).filter(({ name }) => names.has(key(name))).map(({ name }) => name);
    const quoted = quotedColumnsOf(end, value, 'duckdb').filter(
      (name) => resolveColumn(name, scope) && !own.includes(name),
    );
    return [...own, ...quoted].map((name) => ({ value: name, range }));
  });
}

/**
 * The query of an end, and the view of its rows that the join reads.
 * @param options.isEveryRow repeated rows are read as well, to count them
 */
export function endQuery(
  { dataObject, scope, catalog, timeZone }: EndRows,
  needed: readonly NeededColumn[],
  view: string,
  { isEveryRow = false }: { readonly isEveryRow?: boolean } = {},
): { readonly query: EndQuery } | { readonly problems: readonly Problem[] } {
  const columns = [...new Map(needed.map(({ column }) => [column.value, column])).values()];
  const namesIn = (isText: boolean): ReadonlySet<string> =>
    new Set(needed.filter(({ form }) => (form === 'text') === isText).map(({ column }) => column.value));
  const selected = selectColumns({
    columns,
    values: namesIn(false),
    texts: namesIn(true),
    scope,
    catalog,
    taken: [],
  });
  if (selected.problems.length > 0) return { problems: selected.problems };
  const senses = columns.map(({ value }) => senseOf(value, scope));
  const items = selected.items.map((item) => ({ ...item, textType: textTypeOf(item, scope) }));
  const isDistinct = !isEveryRow && senses.every((sense) => sense !== undefined && comparable.has(sense));
  const printed = printElementSelect({ items, rows: scope.rows, isDistinct }, dialectNamed(catalog.dialect));
  const custom = userSql(scope);
  const dataObjects = neededObjects([dataObject], custom, catalog);
  const places = [rowSource(dataObject, scope)];
  const reads = objectReads({ sql: printed.sql, dataObjects }, places, textsOf(custom), catalog);
  return {
    query: {
      dataSource: catalog.dataSource,
      query: {
        dialect: catalog.dialect,
        ...printed,
        columns: selected.items.map(({ as }) => as),
        dataObjects,
        zones: zonesOf(
          selected.items.map(({ as }) => as),
          timeZone,
        ),
        texts: selected.texts.length > 0 ? selected.texts : undefined,
        reads,
      },
      table: `${view}_rows`,
      view,
      columns: needed.map(({ column, form, as }) => ({
        as,
        of: form === 'text' ? selected.textOf(column) : selected.valueOf(column),
        form,
      })),
    },
  };
}

function textTypeOf(item: SelectItem | ExpressionItem, scope: ElementScope): Column | undefined {
  if (!('column' in item)) return undefined;
  const { alias, name } = item.column;
  const object = alias === scope.rows.from.alias ? scope.object : scope.joinedObject(alias);
  const column = object?.columns.find((each) => each.name === name);
  return column?.sense === 'text' ? column : undefined;
}

/** Types with an equality in every source, so that equal rows are read once. */
const comparable: ReadonlySet<ColumnSense> = new Set([
  'integer',
  'number',
  'text',
  'boolean',
  'date',
  'time',
  'timestamp',
]);

function senseOf(name: string, scope: ElementScope): ColumnSense | undefined {
  const resolved = resolveColumn(name, scope);
  const object = resolved?.kind === 'own' ? scope.object : resolved && scope.joinedObject(resolved.alias);
  return object?.columns.find((column) => column.name === resolved?.name)?.sense;
}
