import type { DraftReason } from '../../../protocol/first-draft.ts';
import { because } from './draft-reason.ts';
import type { ForeignKey } from '../catalog/catalog.ts';
import { type ColumnProfile, isEmptyCell } from './column-profile.ts';
import { nameWords, suggests, singular, tableWords } from './name-words.ts';
import type { RecordKey } from './record-key.ts';
import type { TableInput } from './table-sample.ts';

/** A table with the findings so far. */
export interface KeyedTable {
  readonly input: TableInput;
  readonly profiles: readonly ColumnProfile[];
  readonly key: RecordKey | undefined;
}

export interface Reference {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  readonly isDeclared: boolean;
  readonly reason: DraftReason;
}

/** Declared foreign keys, and where a source declares none for a column, columns that are called like the key of another table and hold its values. */
export function findReferences(tables: readonly KeyedTable[]): readonly Reference[] {
  const known = new Set(tables.map(({ input }) => input.object.name));
  return tables.flatMap((table) => {
    const { object } = table.input;
    const declared = object.foreignKeys
      .filter(({ references }) => known.has(references.dataObject))
      .map((key) => declaredReference(object.name, key));
    const covered = new Set(object.foreignKeys.flatMap(({ columns }) => columns));
    const guessed = tables.flatMap((other) => (other === table ? [] : (guess(table, other, covered) ?? [])));
    return [...declared, ...nearest(guessed)];
  });
}

function declaredReference(from: string, { columns, references }: ForeignKey): Reference {
  return {
    from,
    columns,
    to: references.dataObject,
    toColumns: references.columns,
    isDeclared: true,
    reason: because('is a foreign key'),
  };
}

/** One target for each column: the one with the key of most columns. */
function nearest(references: readonly Reference[]): readonly Reference[] {
  const sorted = references.toSorted((left, right) => right.columns.length - left.columns.length);
  const taken = new Set<string>();
  return sorted.filter(({ columns }) => {
    if (columns.every((column) => taken.has(column))) return false;
    for (const column of columns) taken.add(column);
    return true;
  });
}

function guess(table: KeyedTable, other: KeyedTable, covered: ReadonlySet<string>): Reference | undefined {
  const target = other.key;
  if (!target) return undefined;
  const columns = target.columns.flatMap((key) => {
    const found = table.profiles.find(({ name }) => !covered.has(name) && refersTo(name, key, other.input.object.name));
    return found ? [found] : [];
  });
  if (columns.length === 0 || columns.length !== target.columns.length) return undefined;
  const names = columns.map(({ name }) => name);
  if (isOwnKey(names, table, other)) return undefined;
  const fits = columns.every((column, place) => holdsValuesOf(table, column, other, target.columns[place] ?? ''));
  if (!fits) return undefined;
  return {
    from: table.input.object.name,
    columns: names,
    to: other.input.object.name,
    toColumns: target.columns,
    isDeclared: false,
    reason: because('is called like the key of {0} and has its values', other.input.object.name),
  };
}

/** Two tables with one key: the one that the key is called after is referred to. */
function isOwnKey(columns: readonly string[], { key, input }: KeyedTable, other: KeyedTable): boolean {
  if (key?.columns.length !== columns.length || !columns.every((column) => key.columns.includes(column))) return false;
  const isNamed = (table: string): boolean =>
    columns.some((column) =>
      nameWords(column)
        .map(singular)
        .includes(tableWords(table).at(-1) ?? ''),
    );
  return isNamed(input.object.name) || !isNamed(other.input.object.name);
}

function refersTo(column: string, key: string, table: string): boolean {
  const words = nameWords(column).map(singular);
  const keyWords = nameWords(key).map(singular);
  const subject = tableWords(table);
  const isSame = words.join(' ') === keyWords.join(' ');
  // `id` alone does not identify a table.
  if (isSame) return keyWords.length > 1 || (!suggests(key, 'identifier') && keyWords.length > 0);
  const last = subject.at(-1) ?? '';
  const rest = words.filter((word) => !subject.includes(word));
  const restOfKey = keyWords.filter((word) => !subject.includes(word));
  return words.includes(last) && (rest.length === 0 || rest.join(' ') === restOfKey.join(' '));
}

/** Some values must be found; nearly all of them where the other table was read whole. */
function holdsValuesOf({ input }: KeyedTable, column: ColumnProfile, other: KeyedTable, key: string): boolean {
  const target = other.profiles.find(({ name }) => name === key);
  if (!target || target.sense !== column.sense) return false;
  const [from, to] = [column.index, target.index];
  if (from === undefined || to === undefined || !input.sample || !other.input.sample) return false;
  const values = new Set(input.sample.rows.flatMap((row) => (isEmptyCell(row[from]) ? [] : [String(row[from])])));
  if (values.size === 0) return false;
  const targets = new Set(other.input.sample.rows.map((row) => String(row[to] ?? '')));
  const found = [...values].filter((value) => targets.has(value)).length;
  return found >= (other.input.sample.isWhole ? 0.9 : 0.1) * values.size;
}
