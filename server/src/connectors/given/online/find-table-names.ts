import type { DataObject } from '../../../catalog/catalog.ts';
import type { Dialect } from '../../../dialects/dialect.ts';
import { dialectNamed } from '../../../dialects/index.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import { type SqlToken, sqlTokens } from '../../../query/sql-tokens.ts';
import type { GivenData } from '../given-data.ts';
import { CannotRunError } from '../given-rows.ts';
import { findGivenObject } from './find-given-object.ts';
import type { TableReference } from './table-reference.ts';

/** The parts with which the full names of a source begin. */
interface NamePlaces {
  /** Paths before an unqualified name, longest first: `[database]`, or `[catalog, schema]` and `[catalog]`. */
  readonly defaults: readonly (readonly string[])[];
  /** All first parts of full names of tables, which a session without a default place needs: databases or catalogs. */
  readonly roots: readonly string[];
}

/**
 * The positions where a statement reads tables, found by its tokens, for dialects without a parser. A missed table does
 * no harm, because the session has no default database or catalog: the server rejects unqualified names, and this
 * function rejects remaining qualified ones. Throws a `CannotRunError` if the tables are uncertain.
 */
export function findTableNames(query: CompiledQuery, data: GivenData, places: NamePlaces): readonly TableReference[] {
  const { sql } = query;
  const dialect = dialectNamed(query.dialect);
  const tokens = sqlTokens(sql, dialect.lexis).filter(({ kind }) => kind !== 'comment');
  if (tokens.some(({ closed }) => !closed)) throw uncertain('a text, a name or a comment in it has no end');
  if (tokens.some(({ kind, text }) => kind === 'symbol' && text.startsWith('/*'))) {
    throw uncertain('it has a comment that the server executes');
  }
  const found = readTables(tokens, dialect);
  const references = found.map((table): TableReference => {
    const object = objectOf(table.path, data, dialect, places);
    const [first, last] = [tokens[table.start], tokens[table.end]] as [SqlToken, SqlToken];
    const ownAlias = table.hasAlias ? undefined : sql.slice(last.start, last.end);
    return { start: first.start, end: last.end, object, ownAlias, isInOwnExpression: table.isInOwnExpression };
  });
  refuseRoots(tokens, found, dialect, places);
  return references;
}

function uncertain(reason: string): CannotRunError {
  return new CannotRunError(`Given rows cannot stand in for all that its SQL reads: ${reason}.`);
}

interface FoundTable {
  readonly path: readonly string[];
  /** Indexes of its first and last token. */
  readonly start: number;
  readonly end: number;
  readonly hasAlias: boolean;
  readonly isInOwnExpression: boolean;
}

/** An open parenthesis around a token. */
interface Level {
  /** Behind SELECT, where FROM begins the tables of a query; false in `EXTRACT(YEAR FROM …)`. */
  isSelect: boolean;
  /** After FROM, where a comma separates tables. */
  isFrom: boolean;
  /** Names of the common table expressions that the query inside has defined so far. */
  readonly own: Set<string>;
  /** Name of the common table expression that this level is the query of. Later queries may use the name. */
  readonly defines?: string;
}

const level = (more: Partial<Level> = {}): Level => ({ isSelect: false, isFrom: false, own: new Set(), ...more });

function readTables(tokens: readonly SqlToken[], dialect: Dialect): readonly FoundTable[] {
  const found: FoundTable[] = [];
  const levels: Level[] = [level()];
  let expectsTable = false;
  /** Goes into the query of a common table expression. Returns the index of the token that opens it. */
  const define = (start: number, isRecursive: boolean): number => {
    const own = parseCte(tokens, start);
    if (!own) throw uncertain('its WITH is not understood');
    if (isRecursive) levels.at(-1)?.own.add(own.name);
    levels.push(level({ defines: own.name }));
    return own.opens;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as SqlToken;
    const around = levels.at(-1) ?? level();
    const word = keywordAt(tokens, index);
    if (expectsTable) {
      if (word === 'lateral') continue;
      expectsTable = false;
      if (token.text === '(' && token.kind === 'symbol') {
        // Tables in parentheses, or a query.
        const inner = keywordAt(tokens, index + 1);
        const isQuery = inner === 'select' || inner === 'with' || inner === 'values' || inner === 'table';
        levels.push(level({ isFrom: !isQuery }));
        expectsTable = !isQuery;
        continue;
      }
      const isInOwnExpression = levels.some(({ defines }) => defines !== undefined);
      const table = tableAt(tokens, index, dialect);
      if (table) {
        if (!isOwn(table, tokens, levels, dialect)) found.push({ ...table, isInOwnExpression });
        index = table.end;
      }
      continue;
    }
    if (token.kind === 'symbol') {
      if (token.text === '(') levels.push(level());
      if (token.text === ')') {
        const name = levels.pop()?.defines;
        if (name === undefined) continue;
        const { own } = levels.at(-1) ?? level();
        const next = tokens[index + 1];
        // In MariaDB, a query of WITH RECURSIVE may read later ones.
        if (own.has(name) && next?.text === ',') throw uncertain('it has WITH RECURSIVE of several queries');
        own.add(name);
        if (next?.text === ',') index = define(index + 2, false);
        else if (!beginsQuery(next)) throw uncertain('its WITH is not understood');
      }
      if (token.text === ',' && around.isFrom) expectsTable = true;
      continue;
    }
    if (word === 'select') Object.assign(around, { isSelect: true, isFrom: false });
    else if (word === 'table' && tokens[index + 1]?.text !== '(') throw uncertain('it has TABLE');
    else if (word === 'with' && !plainWith.has(keywordAt(tokens, index + 1) ?? '')) {
      if (index > 0 && tokens[index - 1]?.text !== '(') throw uncertain('its WITH is not understood');
      const isRecursive = keywordAt(tokens, index + 1) === 'recursive';
      index = define(index + (isRecursive ? 2 : 1), isRecursive);
    } else if (word === 'from' && around.isSelect && keywordAt(tokens, index - 1) !== 'distinct') {
      around.isFrom = true;
      expectsTable = true;
    } else if (word === 'join' || word === 'straight_join') expectsTable = true;
    else if (word !== undefined && endsTables.has(word)) around.isFrom = false;
  }
  return found;
}

/**
 * Whether a name is that of a common table expression of the statement. Servers differ in case sensitivity, so a name
 * that differs only in case is uncertain.
 */
function isOwn(
  { path, start }: Pick<FoundTable, 'path' | 'start'>,
  tokens: readonly SqlToken[],
  levels: readonly Level[],
  { identifiers }: Dialect,
): boolean {
  const written = tokens[start]?.text ?? '';
  if (path.length > 1) return false;
  const names = levels.flatMap(({ own }) => [...own]);
  if (names.includes(written)) return true;
  const other = names.find((name) => identifiers.key(name) === identifiers.key(written));
  if (other !== undefined) throw uncertain(`${written} and ${other} in it differ by case only`);
  return false;
}

/** The table at a token; undefined for a function. */
function tableAt(
  tokens: readonly SqlToken[],
  start: number,
  { identifiers }: Dialect,
): Omit<FoundTable, 'isInOwnExpression'> | undefined {
  const path: string[] = [];
  let end = start;
  for (; ; end += 2) {
    const token = tokens[end];
    if (token?.kind !== 'word' && token?.kind !== 'quoted') throw uncertain('a table in it is not understood');
    path.push(token.kind === 'word' ? identifiers.fold(token.text) : token.text);
    if (tokens[end + 1]?.text !== '.') break;
  }
  const next = tokens[end + 1];
  if (next?.text === '(' && next.kind === 'symbol') return undefined;
  const word = keywordAt(tokens, end + 1);
  if (word !== undefined && needsTable.has(word)) throw uncertain(`it has ${word.toUpperCase()} behind a table`);
  const isName = next?.kind === 'word' || next?.kind === 'quoted';
  return { path, start, end, hasAlias: isName && !(word !== undefined && notAnAlias.has(word)) };
}

/** An unquoted word that no dot precedes, in lower case: behind a dot every word is a name. */
function keywordAt(tokens: readonly SqlToken[], index: number): string | undefined {
  const token = tokens[index];
  return token?.kind === 'word' && tokens[index - 1]?.text !== '.' ? token.text.toLowerCase() : undefined;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Words after WITH that start no common table expression. */
const plainWith = words('time rollup ordinality ties local');
const endsTables = words(
  'where group having order limit fetch offset union except intersect minus window procedure for qualify',
);
/** Clauses after a table name that only tables of the source may have. */
const needsTable = words('use force ignore partition tablesample for match_recognize');
const notAnAlias = words(
  'on using join left right inner outer full cross natural straight_join where group order having limit fetch offset union except intersect minus window',
);

function objectOf(
  written: readonly string[],
  data: GivenData,
  { identifiers }: Dialect,
  { defaults }: NamePlaces,
): DataObject {
  const keyOf = (path: readonly string[]): string => JSON.stringify(path.map(identifiers.key));
  const whole = (path: readonly string[]): ReadonlySet<string> =>
    new Set([path, ...defaults.map((before) => [...before, ...path])].map(keyOf));
  const wanted = whole(written);
  const found = data.catalog.objects.filter(({ path }) => [...whole(path)].some((key) => wanted.has(key)));
  const object = findGivenObject(found, data);
  if (object) return object;
  throw uncertain(`${written.join('.')} is no data object that the catalog of ${data.catalog.dataSource} has`);
}

/** Refuses a root of names that is not replaced, because it could begin the name of a table of the source. */
function refuseRoots(
  tokens: readonly SqlToken[],
  found: readonly FoundTable[],
  { identifiers }: Dialect,
  { roots }: NamePlaces,
): void {
  const known = new Set(roots.map(identifiers.key));
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' && token.kind !== 'quoted') return;
    if (tokens[index + 1]?.text !== '.' || tokens[index - 1]?.text === '.') return;
    if (found.some(({ start, end }) => index >= start && index <= end)) return;
    const name = token.kind === 'word' ? identifiers.fold(token.text) : token.text;
    if (known.has(identifiers.key(name))) {
      throw uncertain(`${token.text} before a dot may be the name of a table. Give the table an alias, and write that`);
    }
  });
}

/** A common table expression written in a statement, up to the parenthesis that opens its query. */
interface CommonTableExpression {
  /** As written, without quotes. */
  readonly name: string;
  /** Index of the token that opens its query. */
  readonly opens: number;
}

/** Reads `name [(columns)] AS (` at a token; undefined for anything else, such as a function or a session property of Trino. */
function parseCte(tokens: readonly SqlToken[], start: number): CommonTableExpression | undefined {
  const name = tokens[start];
  if (name?.kind !== 'word' && name?.kind !== 'quoted') return undefined;
  let at = start + 1;
  if (isSymbol(tokens[at], '(')) {
    while (at < tokens.length && !isSymbol(tokens[at], ')')) at += 1;
    at += 1;
  }
  const as = tokens[at];
  if (as?.kind !== 'word' || as.text.toLowerCase() !== 'as' || !isSymbol(tokens[at + 1], '(')) return undefined;
  return { name: name.text, opens: at + 1 };
}

/** Whether the token behind a common table expression begins the query that it is for; MariaDB may have CYCLE there. */
function beginsQuery(token: SqlToken | undefined): boolean {
  return isSymbol(token, '(') || (token?.kind === 'word' && token.text.toLowerCase() === 'select');
}

function isSymbol(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text;
}
