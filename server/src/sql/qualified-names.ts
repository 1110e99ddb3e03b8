import type { Dialect } from '../dialects/dialect.ts';
import type { SqlMistake, SqlTable, SqlValidator } from '../language/sql/sql-validator.ts';
import { type SqlToken, sqlTokens } from '../query/sql-tokens.ts';
import { type NamedTables, nameOf, tablesNamed } from './tables-named.ts';

type Names = Pick<Dialect, 'identifiers' | 'lexis'>;

/**
 * Checks names without a parser: `alias.column`, and columns that are compared. It looks at tokens, not at scopes, and is
 * silent wherever a name may mean something else. The same function for the same dialect.
 */
export function namesValidator(dialect: Names): SqlValidator {
  const known = validators.get(dialect);
  if (known) return known;
  const validator: SqlValidator = ({ statement, tables }) => (tables ? unknownNames(statement, tables, dialect) : []);
  validators.set(dialect, validator);
  return validator;
}

/** Validators are cached, because caches of entries are keyed by the validator. */
const validators = new WeakMap<Names, SqlValidator>();

function unknownNames(statement: string, tables: readonly SqlTable[], dialect: Names): readonly SqlMistake[] {
  const tokens = sqlTokens(statement, dialect.lexis).filter(({ kind }) => kind !== 'comment');
  const named = tablesNamed(tokens, tables, dialect);
  const key = (token: SqlToken | undefined): string | undefined => nameOf(token, dialect);
  const columnKeys = new Set(tables.flatMap(({ columns }) => columns.map(({ name }) => dialect.identifiers.key(name))));
  // A name that stands alone may be an alias that was not understood.
  const alone = new Set(tokens.flatMap((token, index) => (isAlone(tokens, index) ? (key(token) ?? []) : [])));
  const databases = new Set(tables.flatMap(({ path }) => path.map(dialect.identifiers.key)));
  const comparesColumns = hasOneScope(tokens, named);
  return tokens.flatMap((token, index): readonly SqlMistake[] => {
    const name = key(token);
    if (name === undefined || named.places.has(index)) return [];
    if (isQualifier(tokens, index)) {
      const table = named.tables.get(name);
      const column = tokens[index + 2];
      const wanted = key(column);
      if (column === undefined || wanted === undefined) return [];
      if (table) {
        const { columns } = table;
        if (!columns || columns.some((each) => dialect.identifiers.key(each) === wanted)) return [];
        return [{ kind: 'column', position: column.start, name: column.text, candidates: columns }];
      }
      if (alone.has(name) || databases.has(name) || columnKeys.has(name)) return [];
      const candidates = [...named.tables.values()].map((each) => each.name);
      return [{ kind: 'alias', position: token.start, name: token.text, candidates }];
    }
    if (!comparesColumns || !isCompared(tokens, index) || columnKeys.has(name)) return [];
    const candidates = [...named.tables.values()].flatMap(({ columns }) => columns ?? []);
    return [{ kind: 'column', position: token.start, name: token.text, candidates }];
  });
}

/** `name.` of `name.column`: neither part of a longer path, nor of a call or a variable. */
function isQualifier(tokens: readonly SqlToken[], index: number): boolean {
  const [before, dot, , behind] = [-1, 1, 2, 3].map((distance) => tokens[index + distance]?.text);
  return dot === '.' && before !== '.' && before !== '@' && behind !== '.' && behind !== '(';
}

function isAlone(tokens: readonly SqlToken[], index: number): boolean {
  return tokens[index - 1]?.text !== '.' && tokens[index + 1]?.text !== '.';
}

/** All columns are known, and no subquery has others. */
function hasOneScope(tokens: readonly SqlToken[], { tables }: NamedTables): boolean {
  const selects = tokens.filter((token) => isWord(token, selecting));
  return selects.length === 1 && [...tables.values()].every(({ columns }) => columns !== undefined);
}

/** The left side of a comparison, at a place where an operand starts. */
function isCompared(tokens: readonly SqlToken[], index: number): boolean {
  const [before, token, behind] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (!before || !token || !behind || isWord(token, constants)) return false;
  const starts = before.text === '(' || before.text === ',' || isWord(before, operandsFollow);
  return starts && (isWord(behind, comparing) || (behind.kind === 'symbol' && /^[=<>!]$/.test(behind.text)));
}

function isWord({ kind, text }: SqlToken, words: ReadonlySet<string>): boolean {
  return kind === 'word' && words.has(text.toLowerCase());
}

const selecting = new Set(['select', 'table', 'values', 'with']);
const operandsFollow = new Set(['and', 'or', 'xor', 'not', 'on', 'where', 'when']);
const comparing = new Set(['like', 'in', 'is', 'between', 'not', 'regexp', 'rlike']);
/** Words that are values, or begin one. */
const constants = new Set(
  `null true false unknown default not exists case interval binary all any some current_date current_time
  current_timestamp current_user localtime localtimestamp utc_date utc_time utc_timestamp`.split(/\s+/),
);
