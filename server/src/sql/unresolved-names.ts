import type { SqlMistake, SqlTable } from '../language/sql/sql-validator.ts';
import { sqlTokens } from '../query/sql-tokens.ts';
import { type NameScope, type ScopedColumns, unresolved } from './name-scope.ts';
import { type SyntaxNode, type SyntaxTree, asNode, isNode, listOf, namesIn, textOf } from './syntax-tree.ts';

/**
 * Unresolved names in a PostgreSQL statement: columns, aliases and tables. Supports subqueries, common table
 * expressions and lateral joins; a table with unknown columns may have any column.
 */
export function unresolvedNames(tree: SyntaxTree, sql: string, tables: readonly SqlTable[]): readonly SqlMistake[] {
  const mistakes: SqlMistake[] = [];
  const walker: Walker = { sql, tables, report: (mistake) => mistakes.push(mistake) };
  for (const each of listOf(isNode(tree) ? tree['stmts'] : undefined)) {
    const select = isNode(each) ? asNode(each['stmt'], 'SelectStmt') : undefined;
    if (select) readSelect(select, { queries: new Map() }, walker);
  }
  return mistakes;
}

interface Walker {
  readonly sql: string;
  readonly tables: readonly SqlTable[];
  report(mistake: SqlMistake): void;
}

/** Names from outside of a SELECT: columns, and common table expressions. */
interface Surroundings {
  readonly scope?: NameScope;
  readonly queries: ReadonlyMap<string, ScopedColumns>;
}

/** Resolves a SELECT and its subqueries; returns its result columns. */
function readSelect(select: SyntaxNode, around: Surroundings, walker: Walker): ScopedColumns {
  const queries = readCommonTables(select, around, walker);
  const inside = { ...around, queries };
  const [left, right] = [select['larg'], select['rarg']];
  if (isNode(left) && isNode(right)) {
    const columns = readSelect(left, inside, walker);
    readSelect(right, inside, walker);
    return columns;
  }
  const tables = new Map<string, ScopedColumns>();
  const results = new Set<string>();
  const scope: NameScope = { tables, results, around: around.scope };
  const at: Surroundings = { scope, queries };
  for (const item of listOf(select['fromClause'])) readFrom(item, tables, at, walker);
  const columns = resultColumns(select);
  const { targetList, whereClause, havingClause, groupClause, sortClause, ...rest } = select;
  for (const part of [targetList, whereClause, havingClause]) readNames(part, at, walker);
  // These clauses may refer to result columns. The others (LIMIT, WINDOW, VALUES) refer to table columns only.
  for (const name of columns === 'unknown' ? [] : columns) results.add(name);
  for (const part of [groupClause, sortClause]) readNames(part, at, walker);
  const { fromClause: _from, withClause: _with, intoClause: _into, lockingClause: _locks, ...others } = rest;
  readNames(others, at, walker);
  return columns;
}

function readCommonTables(
  select: SyntaxNode,
  around: Surroundings,
  walker: Walker,
): ReadonlyMap<string, ScopedColumns> {
  const clause = select['withClause'];
  if (!isNode(clause)) return around.queries;
  const queries = new Map(around.queries);
  const all = listOf(clause['ctes']).flatMap((each) => {
    const fields = asNode(each, 'CommonTableExpr');
    return fields ? [fields] : [];
  });
  // In a recursive query each one can refer to itself and to later ones.
  if (clause['recursive'] === true) for (const each of all) queries.set(textOf(each['ctename']) ?? '', 'unknown');
  for (const each of all) {
    const query = asNode(each['ctequery'], 'SelectStmt');
    const columns = query ? readSelect(query, { ...around, queries }, walker) : 'unknown';
    const adds = each['search_clause'] !== undefined || each['cycle_clause'] !== undefined;
    queries.set(textOf(each['ctename']) ?? '', adds ? 'unknown' : renamed(columns, namesIn(each['aliascolnames'])));
  }
  return queries;
}

/** Adds the tables of a FROM entry to a scope. */
function readFrom(item: SyntaxTree, tables: Map<string, ScopedColumns>, at: Surroundings, walker: Walker): void {
  const range = asNode(item, 'RangeVar');
  if (range) {
    const columns = tableColumns(range, at, walker);
    const alias = aliasOf(range);
    add(tables, alias?.name ?? textOf(range['relname']) ?? '', renamed(columns, alias?.columns ?? []));
    return;
  }
  const join = asNode(item, 'JoinExpr');
  if (join) {
    for (const side of [join['larg'], join['rarg']]) if (side !== undefined) readFrom(side, tables, at, walker);
    const alias = aliasOf(join) ?? aliasOf(join, 'join_using_alias');
    if (alias) add(tables, alias.name, 'unknown');
    readNames(join['quals'], at, walker);
    return;
  }
  const subselect = asNode(item, 'RangeSubselect');
  const query = subselect && asNode(subselect['subquery'], 'SelectStmt');
  if (subselect && query) {
    // Invalid references in a non-LATERAL subquery are left to the server.
    const columns = readSelect(query, at, walker);
    const alias = aliasOf(subselect);
    add(tables, alias?.name ?? '', renamed(columns, alias?.columns ?? []));
    return;
  }
  const sample = asNode(item, 'RangeTableSample');
  if (sample?.['relation'] !== undefined) {
    readFrom(sample['relation'], tables, at, walker);
    return;
  }
  // Functions, JSON_TABLE and similar have columns that depend on types.
  const [fields] = isNode(item) ? Object.values(item) : [];
  add(tables, (isNode(fields) ? aliasOf(fields)?.name : undefined) ?? '', 'unknown');
  readNames(item, at, walker);
}

function tableColumns(range: SyntaxNode, { queries }: Surroundings, walker: Walker): ScopedColumns {
  const name = textOf(range['relname']) ?? '';
  const schema = textOf(range['schemaname']);
  const known = schema === undefined ? queries.get(name) : undefined;
  if (known) return known;
  const table = walker.tables.find(({ path, bare }) =>
    schema === undefined ? bare && path.at(-1) === name : path.at(-1) === name && path.at(-2) === schema,
  );
  if (table) return table.columns.length > 0 ? new Set(table.columns.map((column) => column.name)) : 'unknown';
  if (schema === undefined && !name.startsWith('pg_')) {
    walker.report({ kind: 'table', name, position: utf16Offset(walker.sql, range['location']) });
  }
  return 'unknown';
}

/** Resolves names in any node; a nested SELECT has its own scope. */
function readNames(tree: SyntaxTree | undefined, at: Surroundings, walker: Walker): void {
  if (Array.isArray(tree)) {
    for (const each of listOf(tree)) readNames(each, at, walker);
    return;
  }
  if (!isNode(tree)) return;
  const reference = asNode(tree, 'ColumnRef');
  if (reference) return readReference(reference, at, walker);
  const select = asNode(tree, 'SelectStmt');
  if (select) return void readSelect(select, at, walker);
  for (const value of Object.values(tree)) readNames(value, at, walker);
}

function readReference(reference: SyntaxNode, { scope }: Surroundings, walker: Walker): void {
  if (!scope) return;
  const parts = namesIn(reference['fields']);
  const isStar = parts.length < listOf(reference['fields']).length;
  if (parts.length === 0) return;
  const wrong = unresolved(parts, isStar, scope);
  if (!wrong) return;
  const { kind, part, candidates } = wrong;
  const start = utf16Offset(walker.sql, reference['location']);
  walker.report({ kind, name: parts[part] ?? '', candidates, position: partOffset(walker.sql, start, part) });
}

/** Position of the n-th part of a reference. */
function partOffset(sql: string, start: number, part: number): number {
  if (part === 0) return start;
  const names = sqlTokens(sql.slice(start)).filter(({ kind }) => kind !== 'comment');
  return start + (names[part * 2]?.start ?? 0);
}

function resultColumns(select: SyntaxNode): ScopedColumns {
  const names = listOf(select['targetList']).map((each) => {
    const target = asNode(each, 'ResTarget');
    const value = target?.['val'];
    const reference = asNode(value, 'ColumnRef');
    const hasStar = listOf(reference?.['fields']).some((field) => asNode(field, 'A_Star'));
    if (hasStar) return undefined;
    return (
      textOf(target?.['name']) ??
      namesIn(reference?.['fields']).at(-1) ??
      namesIn(asNode(value, 'FuncCall')?.['funcname']).at(-1)
    );
  });
  const known = names.filter((name) => name !== undefined);
  return known.length === names.length && names.length > 0 ? new Set(known) : 'unknown';
}

/** Column aliases: `AS t (a, b)`. */
function renamed(columns: ScopedColumns, names: readonly string[]): ScopedColumns {
  if (names.length === 0) return columns;
  if (columns === 'unknown') return 'unknown';
  return new Set([...names, ...[...columns].slice(names.length)]);
}

function aliasOf(
  node: SyntaxNode,
  key = 'alias',
): { readonly name: string; readonly columns: readonly string[] } | undefined {
  const alias = node[key];
  const name = isNode(alias) ? textOf(alias['aliasname']) : undefined;
  return isNode(alias) && name !== undefined ? { name, columns: namesIn(alias['colnames']) } : undefined;
}

/** Two tables with one alias: either may be meant. */
function add(tables: Map<string, ScopedColumns>, alias: string, columns: ScopedColumns): void {
  const before = tables.get(alias);
  const isUnknown = columns === 'unknown' || before === 'unknown';
  tables.set(alias, isUnknown ? 'unknown' : new Set([...(before ?? []), ...columns]));
}

/** Positions in the tree are UTF-8 byte offsets; a missing one is 0. */
function utf16Offset(sql: string, location: SyntaxTree | undefined): number {
  const bytes = typeof location === 'number' ? location : 0;
  return Buffer.from(sql).subarray(0, bytes).toString().length;
}
