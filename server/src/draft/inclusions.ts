import { type ColumnProfile, isEmptyCell, isTime } from './column-profile.ts';
import { type ValuesByColumn, containedShare, lookAlike, surprise } from './column-values.ts';
import { nameWords, singular, suggests, tableWords } from './name-words.ts';
import type { RecordKey } from './record-key.ts';
import type { TableInput, TableSample } from './table-sample.ts';

/** A table with the findings so far. */
export interface KeyedTable {
  readonly input: TableInput;
  readonly profiles: readonly ColumnProfile[];
  readonly key: RecordKey | undefined;
}

/** Columns of a table whose values are, all or in part, keys of another table. */
export interface FoundInclusion {
  readonly table: KeyedTable;
  readonly columns: readonly ColumnProfile[];
  readonly other: KeyedTable;
  readonly toColumns: readonly ColumnProfile[];
  /** Share of the different values that are keys of the other table, in the samples. */
  readonly share: number;
  /** Number of different values. */
  readonly distinct: number;
  /** Share of the keys that are referred to. */
  readonly coverage: number;
  /** How unlikely a match by chance is, in bits. */
  readonly surprise: number;
  /** The columns are called like the key, or after the other table. */
  readonly isNamed: boolean;
  /** How much the names are alike. */
  readonly affinity: number;
}

interface InclusionOptions {
  /** Columns with declared foreign keys. */
  readonly covered: ReadonlySet<string>;
  readonly values: ValuesByColumn;
  /** Names need not agree. */
  readonly byValues: boolean;
}

/** Longest key of another table that is looked for, and how many columns are tried for each of its columns. */
const [maxKeyColumns, maxColumnsTried] = [5, 4];
/** Least share of the values of one column of several that must be found. */
const leastColumnShare = 0.5;

/** Columns that may refer to the key of another table. Of a key of one column, all; of a longer one, the best combination. */
export function inclusionsOf(
  table: KeyedTable,
  other: KeyedTable,
  { covered, values, byValues }: InclusionOptions,
): readonly FoundInclusion[] {
  const { key } = other;
  if (!key || key.columns.length > maxKeyColumns || !table.input.sample || !other.input.sample) return [];
  const toColumns = key.columns.flatMap((name) => other.profiles.find((profile) => profile.name === name) ?? []);
  if (toColumns.length !== key.columns.length) return [];
  const subject = other.input.object.name;
  const isWhole = other.input.sample.isWhole;
  const possible = toColumns.map((to) => {
    const known = values.of(other.input, to);
    if (!known) return [];
    return table.profiles
      .flatMap((column): readonly Possible[] => {
        if (covered.has(column.name) || !isComparable(column, to)) return [];
        const own = values.of(table.input, column);
        if (!own || own.values.size === 0 || !mayContain(own, known, isWhole)) return [];
        // Few pairs of columns share values: names are compared only then.
        const share = containedShare(own, known);
        if (isWhole && share < leastColumnShare) return [];
        const isNamed = isCalledLike(column.name, to.name, subject, toColumns.length > 1);
        if (!isNamed && (!byValues || !canRefer(column) || (share === 0 && !lookAlike(own, known)))) return [];
        return [{ column, isNamed, share, surprise: surprise(own, known), affinity: affinity(column.name, to.name) }];
      })
      .toSorted((one, two) => two.affinity - one.affinity)
      .slice(0, toColumns.length === 1 ? undefined : maxColumnsTried);
  });
  if (possible.some(({ length }) => length === 0)) return [];
  const [first = []] = possible;
  if (toColumns.length === 1) {
    const keys = values.of(other.input, toColumns[0] as ColumnProfile)?.values.size ?? 1;
    return first.map(({ column, share, ...rest }) => {
      const distinct = values.of(table.input, column)?.values.size ?? 0;
      return {
        table,
        columns: [column],
        other,
        toColumns,
        share,
        distinct,
        coverage: (share * distinct) / keys,
        ...rest,
      };
    });
  }
  return bestCombination(table, other, toColumns, possible);
}

interface Possible {
  readonly column: ColumnProfile;
  readonly isNamed: boolean;
  readonly share: number;
  readonly surprise: number;
  readonly affinity: number;
}

/** Of combinations of columns, in the order of their names' likeness, the first whose values together are keys. */
function bestCombination(
  table: KeyedTable,
  other: KeyedTable,
  toColumns: readonly ColumnProfile[],
  possible: readonly (readonly Possible[])[],
): readonly FoundInclusion[] {
  const { sample } = table.input;
  if (!sample || !other.input.sample) return [];
  const combinations = possible
    .reduce<readonly (readonly Possible[])[]>(
      (made, choices) =>
        made.flatMap((columns) =>
          choices
            .filter(({ column }) => !columns.some((each) => each.column === column))
            .map((each) => [...columns, each]),
        ),
      [[]],
    )
    .map((columns) => ({ columns, rank: togetherness(columns, table) }))
    .toSorted((one, two) => two.rank - one.rank);
  const keys = tuples(other.input.sample, toColumns);
  const found = combinations.flatMap(({ columns, rank }): readonly FoundInclusion[] => {
    const own = tuples(
      sample,
      columns.map(({ column }) => column),
    );
    const shared = [...own].filter((tuple) => keys.has(tuple)).length;
    if (own.size === 0 || shared === 0) return [];
    return [
      {
        table,
        columns: columns.map(({ column }) => column),
        other,
        toColumns,
        share: shared / own.size,
        distinct: own.size,
        coverage: shared / keys.size,
        surprise: columns.reduce((sum, each) => sum + each.surprise, 0),
        isNamed: columns.every(({ isNamed }) => isNamed),
        affinity: rank,
      },
    ];
  });
  const most = Math.max(0, ...found.map(({ share }) => share));
  return found.filter(({ share }) => share >= most - 0.02).slice(0, 1);
}

/** How well columns fit as one reference: their names are like those of the key and like each other, and they stand side by side. */
function togetherness(columns: readonly Possible[], { key, profiles }: KeyedTable): number {
  const places = columns.map(({ column }) => profiles.indexOf(column));
  const spread = Math.max(...places) - Math.min(...places) - (places.length - 1);
  const [first] = columns;
  const alike = columns
    .slice(1)
    .reduce((sum, { column }) => sum + commonStart(first?.column.name ?? '', column.name), 0);
  // A part of the own key seldom is a part of a reference together with other columns.
  const ofKey = columns.filter(({ column }) => key?.columns.includes(column.name)).length;
  const isMixed = ofKey > 0 && ofKey < columns.length;
  const names = columns.reduce((sum, each) => sum + each.affinity, 0);
  return names / columns.length + Math.min(alike, 3) - Math.min(spread, 6) / 2 - (isMixed ? 2 : 0);
}

function tuples({ rows }: TableSample, columns: readonly ColumnProfile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const row of rows) {
    const cells = columns.map(({ index }) => row[index ?? -1]);
    if (!cells.some(isEmptyCell)) found.add(JSON.stringify(cells.map(String)));
  }
  return found;
}

/** Values of files are compared as texts, those of databases within their type. */
function isComparable(column: ColumnProfile, to: ColumnProfile): boolean {
  const isOneKind = column.sense === to.sense && isTime(column) === isTime(to);
  const areTexts = column.column.isKeyedByText === true && to.column.isKeyedByText === true;
  const isCode = ({ sense }: ColumnProfile): boolean => sense === 'text' || sense === 'integer';
  return isOneKind || (areTexts && isCode(column) && isCode(to));
}

/** Measures, times and lists refer to nothing, unless they are called like the key. */
function canRefer(column: ColumnProfile): boolean {
  const { name, sense, isList, distinct = 0 } = column;
  const isCode = sense === 'text' || sense === 'integer' || sense === 'other';
  return isCode && !isList && !column.timeText && distinct > 1 && !suggests(name, 'measure');
}

/** Cheap comparison of the ranges of numbers before their values are compared. */
function mayContain(
  own: NonNullable<ReturnType<ValuesByColumn['of']>>,
  key: NonNullable<ReturnType<ValuesByColumn['of']>>,
  isWhole: boolean,
): boolean {
  if (!isWhole) return true;
  if ((own.range === undefined) !== (key.range === undefined) && own.range) return false;
  if (own.values.size > 2 * key.values.size) return false;
  if (!own.range || !key.range) return true;
  return own.range.greatest >= key.range.least && own.range.least <= key.range.greatest;
}

function isCalledLike(column: string, key: string, table: string, isOneOfSeveral: boolean): boolean {
  const words = nameWords(column).map(singular);
  const keyWords = nameWords(key).map(singular);
  const isSame = words.join(' ') === keyWords.join(' ');
  // `id` alone does not identify a table, but is a part of a key together with others.
  if (isSame) return isOneOfSeveral || keyWords.length > 1 || (!suggests(key, 'identifier') && keyWords.length > 0);
  const subject = tableWords(table);
  const last = subject.at(-1) ?? '';
  const rest = words.filter((word) => !subject.includes(word));
  const restOfKey = keyWords.filter((word) => !subject.includes(word));
  const isIdentifier = rest.length > 0 && rest.every((word) => suggests(word, 'identifier'));
  // `SalesPersonID` refers to SalesPerson, whatever its key is called.
  if (!isOneOfSeveral && isIdentifier && subject.every((word) => words.includes(word))) return true;
  return words.includes(last) && (rest.length === 0 || rest.join(' ') === restOfKey.join(' '));
}

/** How alike two names are: equal, with equal words, or with the same letters in a row. */
function affinity(column: string, key: string): number {
  if (column.toLowerCase() === key.toLowerCase()) return 4;
  const keyWords = nameWords(key);
  if (nameWords(column).some((word) => keyWords.includes(word))) return 2;
  return commonLetters(column.toLowerCase(), key.toLowerCase()) >= 3 ? 1 : 0;
}

/** Length of the longest text that two names have in common. */
function commonLetters(one: string, two: string): number {
  for (let length = Math.min(one.length, two.length); length > 0; length--)
    for (let at = 0; at + length <= one.length; at++) if (two.includes(one.slice(at, at + length))) return length;
  return 0;
}

/** Number of letters with which both names begin. */
function commonStart(one: string, two: string): number {
  let length = 0;
  while (length < one.length && one[length] === two[length]) length += 1;
  return length;
}
