import { type Catalog, findColumn } from '../catalog/catalog.ts';
import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import type { HelperColumn, KnownColumn } from './compiled-query.ts';
import { type ElementScope, type ResolvedColumn, resolveColumn, unresolvedColumn } from './element-scope.ts';
import type { SelectItem } from './query-tree.ts';
import { moreUnknownColumns } from './query-problems.ts';
import { resultNames } from './result-names.ts';
import { type TextColumn, distinctTexts, textColumnOf } from './text-columns.ts';

/** The columns that an element's query selects. */
interface ColumnUses {
  /** Each once, in SELECT order. */
  readonly columns: readonly Located<string>[];
  /** Names of columns whose values are needed. */
  readonly values: ReadonlySet<string>;
  /** Names of columns compared as keys. */
  readonly texts: ReadonlySet<string>;
  readonly scope: ElementScope;
  readonly catalog: Catalog;
  /** Names of further result columns. */
  readonly taken: readonly string[];
}

/** The SELECT items of an element, and their result column names. */
interface SelectedColumns {
  readonly items: readonly SelectItem[];
  /** Trailing items: texts of columns whose values are also selected. */
  readonly helpers: readonly HelperColumn[];
  readonly texts: readonly TextColumn[];
  readonly known: readonly KnownColumn[];
  readonly valueOf: (column: Located<string>) => string;
  /** The result column of a key part. */
  readonly textOf: (column: Located<string>) => string;
  readonly problems: readonly Problem[];
}

interface Found {
  readonly column: Located<string>;
  readonly resolved: ResolvedColumn;
  /** Its text column, if selected separately from the value. */
  readonly text: TextColumn | undefined;
  readonly hasValue: boolean;
}

/** Unknown names that get a problem of their own, with similar names; the others share one. */
const maxListed = 100;

export function selectColumns(uses: ColumnUses): SelectedColumns {
  const { columns, values, texts, scope, catalog, taken } = uses;
  const unknown: Located<string>[] = [];
  const found = columns.flatMap((column): Found[] => {
    const resolved = resolveColumn(column.value, scope);
    if (!resolved) {
      unknown.push(column);
      return [];
    }
    const text = texts.has(column.value) ? textIn(scope, resolved) : undefined;
    return [{ column, resolved, text, hasValue: text === undefined || values.has(column.value) }];
  });
  const problems = [
    ...unknown.slice(0, maxListed).map((column) => unresolvedColumn(column, scope)),
    ...moreUnknownColumns(unknown.slice(maxListed), { name: scope.rows.from.alias, catalog }),
  ];
  const twice = found.filter(({ text, hasValue }) => text !== undefined && hasValue);
  const names = resultNames(
    [...found.map(({ column }) => column.value), ...twice.map(({ column }) => `${column.value} as text`)],
    catalog.dialect,
    taken,
  );
  const nameOf = new Map(found.map(({ column }, index) => [column.value, names[index] ?? column.value]));
  const helperOf = new Map(twice.map(({ column }, index) => [column.value, names[found.length + index] ?? '']));
  const valueOf = ({ value }: Located<string>): string => nameOf.get(value) ?? value;
  const textItem = ({ column, resolved, text }: Found, as: string): SelectItem => ({
    column: { alias: resolved.alias, name: text?.as ?? resolved.name, range: column.range },
    as,
  });
  const items = found.map((each): SelectItem => {
    const { column, resolved, hasValue } = each;
    if (!hasValue) return textItem(each, valueOf(column));
    return { column: { alias: resolved.alias, name: resolved.name, range: column.range }, as: valueOf(column) };
  });
  const helperItems = twice.map((each) => textItem(each, helperOf.get(each.column.value) ?? ''));
  const knownAs = (each: Found, name: string, isText: boolean): readonly KnownColumn[] => {
    const type = isText ? textType : typeIn(scope, each.resolved);
    return type ? [{ name, column: each.column.value, ...type }] : [];
  };
  const known = [
    ...found.flatMap((each) => knownAs(each, valueOf(each.column), !each.hasValue && each.text !== undefined)),
    ...twice.flatMap((each) => knownAs(each, helperOf.get(each.column.value) ?? '', true)),
  ];
  return {
    items: [...items, ...helperItems],
    helpers: twice.map(({ column }) => ({ name: helperOf.get(column.value) ?? '', textOf: valueOf(column) })),
    known,
    texts: distinctTexts(found.flatMap(({ text }) => text ?? [])),
    valueOf,
    textOf: (column) => helperOf.get(column.value) ?? valueOf(column),
    problems,
  };
}

/** The text column of an own or a joined column. */
export function textIn(scope: ElementScope, { kind, alias, name }: ResolvedColumn): TextColumn | undefined {
  return textColumnOf(kind === 'own' ? scope.object : scope.joinedObject(alias), name);
}

const textType = { type: 'VARCHAR', sense: 'text' } as const;

function typeIn(
  scope: ElementScope,
  { kind, alias, name }: ResolvedColumn,
): Pick<KnownColumn, 'type' | 'sense' | 'collation'> | undefined {
  const object = kind === 'own' ? scope.object : scope.joinedObject(alias);
  const column = object && findColumn(object, name);
  if (!column) return undefined;
  const { type, sense, collation } = column;
  return { type, sense, ...(collation !== undefined && { collation }) };
}
