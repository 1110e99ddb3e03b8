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

/** What was found in an entry. */
export interface EntryFindings {
  readonly problems: readonly Problem[];
  /** It hangs on more than the entry and the ends that it names: it must be looked at each time. */
  readonly isVolatile: boolean;
  /** It must be looked at again when all of these are known. */
  readonly pending: readonly PendingAnswer[];
}

/** What findings hang on beside the entries. */
type MemoContext = Pick<GraphContext, 'parsed' | 'catalog' | 'sqlValidator'>;

/**
 * What was found in the entries of a document, kept by whoever checks its versions, so that of a large file only entries
 * that changed, and relationships whose ends did, are checked again.
 */
export interface EntryMemo {
  /**
   * Brings the memo up to date with a version; afterwards `index` is that version's. Undefined when time was up before all
   * was looked at: the next call, of this version or a later one, goes on where this one stopped.
   */
  update(
    context: MemoContext,
    find: (entry: Entry, index: EntryIndex) => EntryFindings,
    time: LookingTime,
  ): readonly Problem[] | undefined;
  /** What was found until now in the entries of the version that was looked at last. */
  soFar(): readonly Problem[];
  readonly index: EntryIndex;
}

/** How long entries are looked at. */
export interface LookingTime {
  readonly isTimeUp: () => boolean;
  /** Entries here are looked at first, whatever the time. */
  readonly urgent?: SourceRange | undefined;
}

/** Findings are kept with the place where their entry began. */
interface Kept extends EntryFindings {
  readonly start: number;
}

export function createEntryMemo(): EntryMemo {
  let index = createEntryIndex(undefined);
  let known: Known | undefined;
  let elements: readonly EntityElement[] = [];
  let entities: readonly MasterData[] = [];
  let relationships: readonly Relationship[] = [];
  /** Only of entries in which something was found or must be looked for again. */
  const kept = new Map<Entry, Kept>();
  /** What is still to be looked at. */
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

  /** What waited for answers that have come; whether nothing is left that waits. */
  function addAnswered(): boolean {
    let isWaiting = false;
    for (const [entry, { pending }] of kept) {
      if (pending.length === 0) continue;
      if (pending.every((answer) => answer.isKnown())) due.add(entry);
      else isWaiting = true;
    }
    return !isWaiting;
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
      // A version that was not looked at to the end is gone on with: what is unsure would come up again and again.
      const isGoneOnWith = due.size > 0 && context.parsed.graph === latest;
      latest = context.parsed.graph;
      if (!isGoneOnWith) {
        takeOver(context.parsed.graph);
        addAnswered();
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
          // Asked behind an entry: however little time there is, each call comes nearer to the end.
          if (due.size > 0 && isTimeUp()) return undefined;
        }
        // Who hears of the last answer while this goes on need not ask again; while others are to come, that will be heard of.
      } while (addAnswered() && due.size > 0);
      due.clear();
      return soFar();
    },
    soFar,
  };
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

/** What a list has lost and won: everything between the entries that are the same at its start and at its end. */
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

/** Problems at the place where their entry now stands. */
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
