import type { Catalog } from '../../catalog/catalog.ts';
import {
  type EntityElement,
  type EntityGraph,
  type MasterData,
  type Relationship,
  masterDataName,
} from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type EntryIndex, createEntryIndex } from '../entry-index.ts';
import type { GraphContext } from '../graph-context.ts';
import type { PendingAnswer, SqlValidator } from '../sql/sql-validator.ts';

export type Entry = EntityElement | Relationship;

/** Results for an entry. */
export interface EntryFindings {
  readonly problems: readonly Problem[];
  /** They depend on more than the entry and its ends, so they are recomputed each time. */
  readonly isVolatile: boolean;
  /** They are recomputed when these results are available. */
  readonly pending: readonly PendingAnswer[];
}

/** Further dependencies of results. */
type MemoContext = Pick<GraphContext, 'parsed' | 'catalog' | 'sqlValidator'>;

/**
 * Cached results of a document's entries, so that only changed entries, and relationships with changed ends, are
 * validated again.
 */
export interface EntryCache {
  /**
   * Updates the cache to a version; afterwards `index` belongs to that version. Undefined if the time limit was
   * reached: the next call, for this or a later version, continues.
   */
  update(
    context: MemoContext,
    find: (entry: Entry, index: EntryIndex) => EntryFindings,
    time: ValidationBudget,
  ): readonly Problem[] | undefined;
  /** Results so far for the entries of the current version. */
  soFar(): readonly Problem[];
  readonly index: EntryIndex;
}

/** Time limit. */
export interface ValidationBudget {
  readonly isTimeUp: () => boolean;
  /** Entries in this range are validated first, regardless of the time limit. */
  readonly urgent?: SourceRange | undefined;
}

/** Results are stored relative to the start of their entry. */
interface Kept extends EntryFindings {
  readonly start: number;
}

export function createEntryCache(): EntryCache {
  let index = createEntryIndex(undefined);
  let known: Known | undefined;
  let elements: readonly EntityElement[] = [];
  let entities: readonly MasterData[] = [];
  let relationships: readonly Relationship[] = [];
  /** Only for entries with results or pending results. */
  const kept = new Map<Entry, Kept>();
  /** Entries to validate. */
  const due = new Set<Entry>();
  let latest: EntityGraph | undefined;

  function takeOver(graph: EntityGraph): void {
    const changed = difference(elements, graph.elements);
    const masterData = difference(entities, graph.entities);
    const related = difference(relationships, graph.relationships);
    for (const element of changed.removed) index.removeElement(element);
    for (const element of changed.added) index.addElement(element);
    for (const entry of masterData.removed) index.removeMasterData(entry);
    for (const entry of masterData.added) index.addMasterData(entry);
    for (const relationship of related.removed) index.removeRelationship(relationship);
    for (const relationship of related.added) index.addRelationship(relationship);
    for (const entry of [...changed.removed, ...related.removed]) {
      kept.delete(entry);
      due.delete(entry);
    }
    elements = graph.elements;
    entities = graph.entities;
    relationships = graph.relationships;
    const names = [
      ...[...changed.removed, ...changed.added].map(({ activityName }) => activityName?.value),
      ...[...masterData.removed, ...masterData.added].map(masterDataName),
    ];
    for (const entry of [...changed.added, ...related.added]) due.add(entry);
    for (const name of names) if (name !== undefined) for (const entry of index.relationshipsOf(name)) due.add(entry);
    for (const [entry, { isVolatile }] of kept) if (isVolatile) due.add(entry);
  }

  const soFar = (): readonly Problem[] => [...kept].flatMap(([entry, findings]) => moved(findings, entry));

  return {
    get index() {
      return index;
    },
    update(context, find, { isTimeUp, urgent }) {
      const now = knownOf(context);
      if (!known || !isSame(known, now)) {
        index = createEntryIndex(context.catalog);
        [elements, entities, relationships] = [[], [], []];
        kept.clear();
        due.clear();
      }
      known = now;
      // Continues an incomplete version, because uncertain results would recur.
      const isGoneOnWith = due.size > 0 && context.parsed.graph === latest;
      latest = context.parsed.graph;
      if (!isGoneOnWith) {
        takeOver(context.parsed.graph);
        addAnswered(kept, due);
      }
      const look = (entry: Entry): void => {
        due.delete(entry);
        const findings = find(entry, index);
        const isWorthKeeping = findings.problems.length > 0 || findings.isVolatile || findings.pending.length > 0;
        if (isWorthKeeping) kept.set(entry, { ...findings, start: entry.range.start });
        else kept.delete(entry);
      };
      if (urgent) for (const entry of [...due].filter(({ range }) => touches(range, urgent))) look(entry);
      do {
        for (const entry of due) {
          look(entry);
          // Checked after an entry, so that each call makes progress.
          if (due.size > 0 && isTimeUp()) return undefined;
        }
        // A listener for the last result covers this one too.
      } while (addAnswered(kept, due) && due.size > 0);
      due.clear();
      return soFar();
    },
    soFar,
  };
}

/** Revalidates entries whose pending results arrived; returns whether none is pending. */
function addAnswered(kept: ReadonlyMap<Entry, Kept>, due: Set<Entry>): boolean {
  let isWaiting = false;
  for (const [entry, { pending }] of kept) {
    if (pending.length === 0) continue;
    if (pending.every((answer) => answer.isKnown())) due.add(entry);
    else isWaiting = true;
  }
  return !isWaiting;
}

function touches(one: SourceRange, other: SourceRange): boolean {
  return one.start <= other.end && other.start <= one.end;
}

interface Known {
  readonly catalog: Catalog | undefined;
  readonly validator: SqlValidator | undefined;
}

function knownOf({ catalog, sqlValidator }: MemoContext): Known {
  return { catalog, validator: sqlValidator };
}

function isSame(one: Known, other: Known): boolean {
  return one.catalog === other.catalog && one.validator === other.validator;
}

/** Removed and added entries of a list: everything between the equal ones at its start and end. */
function difference<T>(
  before: readonly T[],
  after: readonly T[],
): { readonly removed: readonly T[]; readonly added: readonly T[] } {
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && before[first] === after[first]) first += 1;
  let last = 0;
  while (last < shorter - first && before[before.length - 1 - last] === after[after.length - 1 - last]) last += 1;
  return { removed: before.slice(first, before.length - last), added: after.slice(first, after.length - last) };
}

/** Problems at the current position of their entry. */
function moved({ problems, start }: Kept, entry: Entry): readonly Problem[] {
  if (problems.length === 0) return problems;
  const distance = entry.range.start - start;
  if (distance === 0) return problems;
  const move = (range: SourceRange): SourceRange => ({ start: range.start + distance, end: range.end + distance });
  return problems.map(({ range, related, ...problem }) => ({
    ...problem,
    range: move(range),
    ...(related ? { related: related.map((each) => ({ ...each, range: move(each.range) })) } : {}),
  }));
}
