import { because } from './draft-reason.ts';
import type { ForeignKey } from '../catalog/catalog.ts';
import type { ColumnProfile } from './column-profile.ts';
import { valuesByColumn } from './column-values.ts';
import { type FoundInclusion, type KeyedTable, inclusionsOf } from './inclusions.ts';
import { nameWords, singular, tableWords } from './name-words.ts';
import type { TableReading } from './read-table.ts';
import type { Reference } from './reference.ts';
import { linkOf } from './select-objects.ts';
import type { SourceCounts } from './source-counts.ts';

/** Least share of the values that must be found in the key of the other table. */
const leastShare = 0.9;
/** The same, if the column is called like the key and its values hardly occur elsewhere. */
const leastNamedShare = 0.75;
/** The same, in a sample of a part of the other table. */
const leastSampledShare = 0.1;
/** How unlikely a match by chance must be, in bits, for the values alone to decide. */
const leastSurprise = 14;

/**
 * Declared foreign keys, and where a source declares none for a column, columns whose values are keys of another table. In a
 * source without any foreign keys the values decide, and names help; elsewhere the names must agree, too.
 */
export function findReferences(
  tables: readonly TableReading[],
  shares: SourceCounts['shares'] = new Map(),
): readonly Reference[] {
  const known = new Set(tables.map(({ input }) => input.object.name));
  const areUndeclared = undeclared(tables);
  const values = valuesByColumn();
  const found = tables.map((table) => {
    const { object } = table.input;
    const declared = object.foreignKeys
      .filter(({ references }) => known.has(references.dataObject))
      .map((key) => declaredReference(object.name, key));
    const covered = new Set(object.foreignKeys.flatMap(({ columns }) => columns));
    const guessed = tables
      .filter((other) => other !== table)
      .flatMap((other) => {
        const byValues = areUndeclared(table, other);
        return inclusionsOf(table, other, { covered, values, byValues }).filter((each) =>
          isConvincing(each, byValues, shares),
        );
      });
    return { declared, guessed: nearest(guessed).map(guessedReference) };
  });
  const all = found.flatMap(({ declared, guessed }) => [...declared, ...guessed]);
  const links = new Set(tables.filter((table) => linkOf(table, all)).map(({ input }) => input.object.name));
  // A cross table becomes a relationship, so no reference can lead through it.
  const between = all.filter(({ to }) => !links.has(to));
  return all.filter((each) => each.isDeclared || !isImplied(each, between));
}

/** Inclusions that the samples cannot decide, because the other table was not read whole: the source has to count. */
export function undecidedInclusions(tables: readonly KeyedTable[]): readonly FoundInclusion[] {
  const areUndeclared = undeclared(tables);
  const values = valuesByColumn();
  return tables.flatMap((table) => {
    const covered = new Set(table.input.object.foreignKeys.flatMap(({ columns }) => columns));
    return tables
      .filter(({ input }) => input !== table.input && input.sample?.isWhole === false)
      .filter(({ input }) => input.place?.dataSource === table.input.place?.dataSource)
      .flatMap((other) => {
        const byValues = areUndeclared(table, other);
        return inclusionsOf(table, other, { covered, values, byValues }).filter(
          ({ isNamed, surprise }) => isNamed || (byValues && surprise >= leastSurprise),
        );
      });
  });
}

/** Identifies an inclusion within a draft. */
export function inclusionId({ table, columns, other, toColumns }: FoundInclusion): string {
  return JSON.stringify([table.input.object.name, names(columns), other.input.object.name, names(toColumns)]);
}

/** Tests whether nothing is declared between two tables: their data source declares no foreign keys, or they have two sources. */
function undeclared(tables: readonly KeyedTable[]): (one: KeyedTable, other: KeyedTable) => boolean {
  const sourceOf = ({ input }: KeyedTable): string | undefined => input.place?.dataSource;
  const declaring = new Set(tables.filter(({ input }) => input.object.foreignKeys.length > 0).map(sourceOf));
  return (one, other) => sourceOf(one) !== sourceOf(other) || !declaring.has(sourceOf(one));
}

function isConvincing(inclusion: FoundInclusion, byValues: boolean, shares: SourceCounts['shares']): boolean {
  const { isNamed, surprise, table, other, distinct } = inclusion;
  if (!isPossible(inclusion)) return false;
  const counted = shares.get(inclusionId(inclusion));
  const share = counted ?? inclusion.share;
  const isWhole = counted !== undefined || other.input.sample?.isWhole === true;
  const isSurprising = surprise >= leastSurprise && distinct >= 3;
  if (isNamed)
    return (
      share >=
      (isWhole
        ? byValues && isSurprising && inclusion.columns.length === 1
          ? leastNamedShare
          : leastShare
        : leastSampledShare)
    );
  // A single value says nothing, however rare.
  return byValues && isSurprising && isWhole && share >= leastShare && table.input.sample !== undefined;
}

/** A key may itself be a reference, as that of a special kind of a thing; never in both directions. */
function isPossible({ table, other, columns, share, coverage }: FoundInclusion): boolean {
  const own = table.key?.columns ?? [];
  if (own.length !== columns.length || !columns.every(({ name }) => own.includes(name))) return true;
  if (share === 1 && coverage < 1) return true;
  return !isCalledAfter(columns, table.input.object.name) && isCalledAfter(columns, other.input.object.name);
}

/** Whether a column has all words of the name of a table: `track_id` is called after `tracks`, not after `playlist_track`. */
function isCalledAfter(columns: readonly ColumnProfile[], table: string): boolean {
  const subject = tableWords(table);
  return columns.some(({ name }) => {
    const words = nameWords(name).map(singular);
    return subject.every((word) => words.includes(word));
  });
}

/** One target for each set of columns, in their order: the one that is named, else the one of whose rows most are referred to. */
function nearest(inclusions: readonly FoundInclusion[]): readonly FoundInclusion[] {
  const rank = ({ isNamed, coverage, affinity, columns, other }: FoundInclusion): number =>
    (isNamed ? 10 : 0) + affinity + 4 * coverage + (isCalledAfter(columns, other.input.object.name) ? 4 : 0);
  const sorted = inclusions.toSorted((one, two) => rank(two) - rank(one));
  const taken = new Set<string>();
  const kept = sorted.filter(({ columns }) => {
    const id = names(columns).toSorted().join('\n');
    if (taken.has(id)) return false;
    taken.add(id);
    return true;
  });
  const place = ({ table, columns }: FoundInclusion): number =>
    Math.min(...columns.map((column) => table.profiles.indexOf(column)));
  return kept.toSorted((one, two) => place(one) - place(two));
}

/**
 * Whether a reference only repeats others: an item of a delivery refers to an item of an order, which refers to the order.
 */
function isImplied(reference: Reference, all: readonly Reference[]): boolean {
  return all.some((longer) => {
    if (longer.from !== reference.from || longer.columns.length <= reference.columns.length) return false;
    const places = reference.columns.map((column) => longer.columns.indexOf(column));
    if (places.includes(-1)) return false;
    const between = places.map((place) => longer.toColumns[place] ?? '');
    return all.some(
      (next) =>
        next.from === longer.to &&
        next.to === reference.to &&
        between.every((column, at) => next.toColumns[next.columns.indexOf(column)] === reference.toColumns[at]),
    );
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

function guessedReference({ table, columns, other, toColumns, isNamed }: FoundInclusion): Reference {
  const to = other.input.object.name;
  return {
    from: table.input.object.name,
    columns: names(columns),
    to,
    toColumns: names(toColumns),
    isDeclared: false,
    reason: isNamed
      ? because('is called like the key of {0} and has its values', to)
      : because('has only values of the key of {0}', to),
  };
}

function names(columns: readonly ColumnProfile[]): readonly string[] {
  return columns.map(({ name }) => name);
}
