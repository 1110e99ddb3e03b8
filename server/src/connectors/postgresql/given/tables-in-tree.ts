import { type SyntaxNode, type SyntaxTree, asNode, isNode, listOf, namesIn, textOf } from '../../../sql/syntax-tree.ts';

/** A table that a statement names. */
export interface NamedTable {
  readonly schema: string | undefined;
  readonly name: string;
  readonly hasAlias: boolean;
  /** UTF-8 bytes before its name. */
  readonly location: number;
}

/** What a statement reads, by its syntax tree. */
export interface ReadNames {
  readonly tables: readonly NamedTable[];
  /** The last parts of the names of its functions, and its operators. */
  readonly functions: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
  /** The names of columns, with their qualifiers. */
  readonly columns: readonly (readonly string[])[];
  /** The first clause that only a real table supports, such as `TABLESAMPLE`. */
  readonly needsTable: string | undefined;
}

/** The tables that a statement reads, without its own common table expressions. */
export function namesRead(tree: SyntaxTree): ReadNames {
  const found: Found = { tables: [], functions: new Set(), operators: new Set(), columns: [], needsTable: undefined };
  const [statement, ...others] = listOf(isNode(tree) ? tree['stmts'] : undefined);
  const select = isNode(statement) ? asNode(statement['stmt'], 'SelectStmt') : undefined;
  if (!select || others.length > 0) return { ...found, needsTable: 'more than one SELECT' };
  readSelect(select, new Set(), found);
  return found;
}

interface Found {
  readonly tables: NamedTable[];
  readonly functions: Set<string>;
  readonly operators: Set<string>;
  readonly columns: (readonly string[])[];
  needsTable: string | undefined;
}

/** @param around the names of common table expressions that it sees */
function readSelect(select: SyntaxNode, around: ReadonlySet<string>, found: Found): void {
  const { withClause, ...parts } = select;
  const queries = new Set(around);
  if (isNode(withClause)) {
    const all = listOf(withClause['ctes'])
      .map((each) => asNode(each, 'CommonTableExpr'))
      .filter((query) => query !== undefined);
    const nameOf = (query: SyntaxNode): string => textOf(query['ctename']) ?? '';
    if (withClause['recursive'] === true) for (const query of all) queries.add(nameOf(query));
    for (const query of all) {
      const own = asNode(query['ctequery'], 'SelectStmt');
      if (own) readSelect(own, queries, found);
      else found.needsTable ??= 'WITH a statement that writes';
      queries.add(nameOf(query));
    }
  }
  if (parts['intoClause'] !== undefined) found.needsTable ??= 'INTO';
  if (parts['lockingClause'] !== undefined) found.needsTable ??= 'FOR UPDATE';
  for (const [key, part] of Object.entries(parts)) {
    // The sides of a UNION are statements without the name of their kind.
    if ((key === 'larg' || key === 'rarg') && isNode(part)) readSelect(part, queries, found);
    else read(part, queries, found);
  }
}

function read(tree: SyntaxTree | undefined, queries: ReadonlySet<string>, found: Found): void {
  if (Array.isArray(tree)) {
    for (const each of listOf(tree)) read(each, queries, found);
    return;
  }
  if (!isNode(tree)) return;
  for (const [kind, fields] of Object.entries(tree)) {
    if (!isNode(fields)) {
      read(fields, queries, found);
      continue;
    }
    if (kind === 'SelectStmt') readSelect(fields, queries, found);
    else {
      readNode(kind, fields, queries, found);
      read(fields, queries, found);
    }
  }
}

function readNode(kind: string, fields: SyntaxNode, queries: ReadonlySet<string>, found: Found): void {
  switch (kind) {
    case 'RangeVar':
      return readTable(fields, queries, found);
    case 'RangeTableSample':
      found.needsTable ??= 'TABLESAMPLE';
      return;
    case 'ColumnRef':
      found.columns.push([
        ...namesIn(fields['fields']),
        ...listOf(fields['fields']).flatMap((each) => (asNode(each, 'A_Star') ? ['*'] : [])),
      ]);
      return;
    case 'FuncCall':
      found.functions.add(namesIn(fields['funcname']).at(-1) ?? '');
      return;
    case 'A_Expr':
    case 'SubLink':
      for (const name of [...namesIn(fields['name']), ...namesIn(fields['operName'])]) found.operators.add(name);
  }
}

function readTable(table: SyntaxNode, queries: ReadonlySet<string>, found: Found): void {
  const name = textOf(table['relname']) ?? '';
  const schema = textOf(table['schemaname']);
  if (schema === undefined && queries.has(name)) return;
  if (table['inh'] !== true) found.needsTable ??= 'ONLY';
  if (table['catalogname'] !== undefined) found.needsTable ??= 'the name of a database before a table';
  const location = typeof table['location'] === 'number' ? table['location'] : 0;
  found.tables.push({ schema, name, hasAlias: table['alias'] !== undefined, location });
}
