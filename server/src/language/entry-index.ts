import type { SqlDialect } from '../catalog/catalog.ts';
import { type GraphCatalog, dataObjectOf } from '../catalog/graph-catalog.ts';
import { embeddedDialect } from '../dialects/index.ts';
import {
  type EntityElement,
  type EntityGraph,
  type EntitySource,
  type MasterData,
  type Relationship,
  type RowCorrelation,
  elementEntityType,
  hasOwnEntity,
  masterDataName,
  relationshipName,
  typesNamedByRows,
} from '../model/entity-graph.ts';
import type { SourceRange } from '../model/source-range.ts';
import { sqlOfEntry } from '../model/entry-columns.ts';
import { identifierKey, mentionedNames } from '../query/sql-names.ts';

/**
 * An index of all entries for rules, updated incrementally, so that a keystroke in one entry does not visit the others.
 */
export interface EntryIndex {
  /** The first element of the file with this activity name, else the first entry of `entities` with this name. */
  endNamed(name: string): EntitySource | undefined;
  /** Of elements and entries of `entities`. */
  activityNames(): Iterable<string>;
  /** The relationships with an activity as one of their ends. */
  relationshipsOf(activityName: string): Iterable<Relationship>;
  /** Whether two elements have this activity name. */
  readonly hasDuplicateActivities: boolean;
  /** Whether two relationships have this effective name. */
  readonly hasDuplicateRelationships: boolean;
  /** Whether keys of one entity type have different widths. */
  readonly hasMixedKeys: boolean;
  /** Activity names that no relationship has as an end. */
  readonly unrelated: ReadonlySet<string>;
  /** Relationship ends without an activity of that name. */
  readonly unknownEnds: ReadonlySet<string>;
  /** The elements and entries of `entities` by data object. */
  readonly sourcesByObject: ReadonlyMap<string, ReadonlySet<EntitySource>>;
  /** Whether a list contains an entry without identifying fields. */
  hasEntryWithoutListField(list: 'elements' | 'relationships'): boolean;
  /** Number of elements of an entity type. */
  elementsOfType(entityType: string): number;
  /** Whether rows of elements name entities of a type (`correlatesWith`). */
  isNamedByRows(entityType: string): boolean;
  /** Whether an element or cross table reads a data object. */
  reads(dataObject: string): boolean;
  /** Whether custom SQL contains a name: filters, joins and expressions may read any table in a subquery. */
  mentions(name: string): boolean;
  /** The relationships that are paths. */
  readonly paths: ReadonlySet<Relationship>;
  addElement(element: EntityElement): void;
  removeElement(element: EntityElement): void;
  addMasterData(entry: MasterData): void;
  removeMasterData(entry: MasterData): void;
  addRelationship(relationship: Relationship): void;
  removeRelationship(relationship: Relationship): void;
}

// eslint-disable-next-line max-lines-per-function -- Fifteen counts are kept up to date together when an entry comes and goes; adding and removing must stay symmetric.
export function createEntryIndex(catalog: GraphCatalog | undefined): EntryIndex {
  const named = new Map<string, EntitySource[]>();
  const relationshipsByEnd = new Map<string, Set<Relationship>>();
  const relationshipNames = createCounts<string>();
  const reads = createCounts<string>();
  const types = createCounts<string>();
  const typesOfRows = createCounts<string>();
  const unrelated = new Set<string>();
  const unknownEnds = new Set<string>();
  const sourcesByObject = new Map<string, Set<EntitySource>>();
  const strangers = { elements: 0, relationships: 0 };
  const paths = new Set<Relationship>();
  const widths = new Map<string, Counts<number>>();
  /** Entries with custom SQL; their names are computed on demand. */
  const sqlNames = new Map<EntitySource | Relationship, ReadonlySet<string> | undefined>();
  const dialect = catalog?.dialect ?? embeddedDialect;
  let duplicateActivities = 0;
  let duplicateRelationships = 0;
  let mixedTypes = 0;

  function countWidth(source: EntitySource, add: boolean): void {
    const type = elementEntityType(source);
    if (type !== undefined && add) types.add(type);
    else if (type !== undefined) types.remove(type);
    for (const key of keysOf(source, catalog)) countKey(key, add);
  }

  function countKey({ type, width }: EntityKey, add: boolean): void {
    const counts = widths.get(type) ?? createCounts<number>();
    widths.set(type, counts);
    const before = counts.size();
    if (add) counts.add(width);
    else counts.remove(width);
    mixedTypes += Number(counts.size() > 1) - Number(before > 1);
  }

  /** Master data may have the name of an element, so both are counted together. */
  function addSource(source: EntitySource, name: string | undefined): void {
    const { dataObject } = source;
    if (name !== undefined) {
      const same = named.get(name);
      if (same) same.push(source);
      else named.set(name, [source]);
      duplicateActivities += same ? 1 : 0;
      unknownEnds.delete(name);
    }
    if (dataObject) {
      reads.add(dataObject.value);
      const readers = sourcesByObject.get(dataObject.value) ?? new Set();
      sourcesByObject.set(dataObject.value, readers.add(source));
    }
    if (sqlOfEntry(source).length > 0) sqlNames.set(source, undefined);
    countWidth(source, true);
  }

  function removeSource(source: EntitySource, name: string | undefined): void {
    const { dataObject } = source;
    const same = name === undefined ? undefined : named.get(name);
    if (name !== undefined && same) {
      same.splice(same.indexOf(source), 1);
      if (same.length > 0) duplicateActivities -= 1;
      else {
        named.delete(name);
        unrelated.delete(name);
        if (relationshipsByEnd.has(name)) unknownEnds.add(name);
      }
    }
    if (dataObject) {
      reads.remove(dataObject.value);
      const readers = sourcesByObject.get(dataObject.value);
      readers?.delete(source);
      if (readers?.size === 0) sourcesByObject.delete(dataObject.value);
    }
    sqlNames.delete(source);
    countWidth(source, false);
  }

  return {
    endNamed(name) {
      const sources = named.get(name) ?? [];
      return sources.length < 2 ? sources[0] : sources.toSorted(inFileOrder)[0];
    },
    activityNames: () => named.keys(),
    relationshipsOf: (activityName) => relationshipsByEnd.get(activityName) ?? [],
    get hasDuplicateActivities() {
      return duplicateActivities > 0;
    },
    get hasDuplicateRelationships() {
      return duplicateRelationships > 0;
    },
    get hasMixedKeys() {
      return mixedTypes > 0;
    },
    unrelated,
    unknownEnds,
    sourcesByObject,
    paths,
    hasEntryWithoutListField: (list) => strangers[list] > 0,
    elementsOfType: (entityType) => types.count(entityType),
    isNamedByRows: (entityType) => typesOfRows.has(entityType),
    reads: (dataObject) => reads.has(dataObject),
    mentions(name) {
      const key = identifierKey(name, dialect);
      for (const [entry, known] of sqlNames) {
        const names = known ?? namesInSql(entry, dialect);
        if (!known) sqlNames.set(entry, names);
        if (names.has(key)) return true;
      }
      return false;
    },
    addElement(element) {
      const name = element.activityName?.value;
      addSource(element, name);
      for (const type of typesNamedBy(element)) typesOfRows.add(type);
      // Events with row correlations only need no relationship.
      const isReached = element.correlatesWith !== undefined;
      if (name !== undefined && !isReached && !relationshipsByEnd.has(name)) unrelated.add(name);
      strangers.elements += hasNoListField(element) ? 1 : 0;
    },
    removeElement(element) {
      removeSource(element, element.activityName?.value);
      for (const type of typesNamedBy(element)) typesOfRows.remove(type);
      strangers.elements -= hasNoListField(element) ? 1 : 0;
    },
    addMasterData: (entry) => addSource(entry, masterDataName(entry)),
    removeMasterData: (entry) => removeSource(entry, masterDataName(entry)),
    addRelationship(relationship) {
      if (relationship.path) paths.add(relationship);
      const name = nameOf(relationship);
      if (name !== undefined && relationshipNames.add(name) > 1) duplicateRelationships += 1;
      for (const end of endsOf(relationship)) {
        const same = relationshipsByEnd.get(end) ?? new Set();
        relationshipsByEnd.set(end, same.add(relationship));
        unrelated.delete(end);
        if (!named.has(end)) unknownEnds.add(end);
      }
      strangers.relationships += hasNoListField(relationship) ? 1 : 0;
      if (relationship.crossTable?.dataObject) reads.add(relationship.crossTable.dataObject.value);
      if (relationship.mappings.some(({ kind }) => kind === 'expression')) sqlNames.set(relationship, undefined);
    },
    removeRelationship(relationship) {
      paths.delete(relationship);
      const name = nameOf(relationship);
      if (name !== undefined && relationshipNames.remove(name) > 0) duplicateRelationships -= 1;
      for (const end of endsOf(relationship)) {
        const same = relationshipsByEnd.get(end);
        same?.delete(relationship);
        if (same?.size !== 0) continue;
        relationshipsByEnd.delete(end);
        unknownEnds.delete(end);
        if (named.get(end)?.some((each) => 'isMasterData' in each || each.correlatesWith) === false) unrelated.add(end);
      }
      strangers.relationships -= hasNoListField(relationship) ? 1 : 0;
      if (relationship.crossTable?.dataObject) reads.remove(relationship.crossTable.dataObject.value);
      sqlNames.delete(relationship);
    },
  };
}

/** An index for a single use. */
export function indexOf(graph: EntityGraph, catalog: GraphCatalog | undefined): EntryIndex {
  const index = createEntryIndex(catalog);
  for (const element of graph.elements) index.addElement(element);
  for (const entry of graph.entities) index.addMasterData(entry);
  for (const relationship of graph.relationships) index.addRelationship(relationship);
  return index;
}

/** Elements have priority over entries of `entities`. */
function inFileOrder(left: EntitySource, right: EntitySource): number {
  const list = Number('isMasterData' in left) - Number('isMasterData' in right);
  return list === 0 ? left.index - right.index : list;
}

/** A key of entities: type, number of columns, and range. */
export interface EntityKey {
  readonly type: string;
  readonly width: number;
  readonly range: SourceRange;
}

/** Keys of known width: those of entities of a source, and those named by rows. */
export function keysOf(source: EntitySource, catalog: GraphCatalog | undefined): readonly EntityKey[] {
  const type = elementEntityType(source);
  const width = keyWidthOf(source, catalog);
  const isElement = !('isMasterData' in source);
  const hasOwn = !isElement || hasOwnEntity(source);
  const name = isElement ? source.activityName : source.name;
  const range = (source.key?.[0] ?? source.dataObject ?? name ?? source).range;
  const own = type === undefined || width === 0 || !hasOwn ? [] : [{ type, width, range }];
  return [...own, ...(isElement ? (source.correlatesWith ?? []).flatMap(linkedKey) : [])];
}

function linkedKey({ entityType, key }: RowCorrelation): readonly EntityKey[] {
  const [first] = key;
  return entityType && first ? [{ type: entityType.value, width: key.length, range: first.range }] : [];
}

function typesNamedBy(element: EntityElement): readonly string[] {
  return typesNamedByRows(element).map(({ value }) => value);
}

/** Number of key columns of an element or an entry; 0 if unknown. */
function keyWidthOf(source: EntitySource, catalog: GraphCatalog | undefined): number {
  if (source.key) return source.key.length;
  const object = catalog && dataObjectOf(source, catalog);
  return object?.primaryKey.length ?? 0;
}

/** Whether an entry has no field specific to its list. */
export function hasNoListField(entry: EntityElement | Relationship): boolean {
  return 'mappings' in entry ? !entry.source && !entry.target : !entry.activityName && !entry.dataObject;
}

/** The names in the custom SQL of an entry, folded by its dialect. */
function namesInSql(entry: EntitySource | Relationship, dialect: SqlDialect): ReadonlySet<string> {
  const sql =
    'mappings' in entry
      ? entry.mappings.map((mapping) => (mapping.kind === 'expression' ? mapping.expression : undefined))
      : sqlOfEntry(entry);
  return new Set(sql.flatMap((each) => (each ? [...mentionedNames(each.value, dialect)] : [])));
}

function endsOf({ source, target }: Relationship): readonly string[] {
  return [source, target].flatMap((end) => end?.value ?? []);
}

/** Only explicit names, and names derived from two ends, can be duplicated. */
function nameOf(relationship: Relationship): string | undefined {
  const { name, source, target } = relationship;
  return (name ?? (source && target)) ? relationshipName(relationship) : undefined;
}

interface Counts<Key> {
  /** The current number of occurrences. */
  add(key: Key): number;
  remove(key: Key): number;
  has(key: Key): boolean;
  count(key: Key): number;
  size(): number;
}

function createCounts<Key>(): Counts<Key> {
  const counts = new Map<Key, number>();
  return {
    add(key) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count;
    },
    remove(key) {
      const count = (counts.get(key) ?? 1) - 1;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
      return count;
    },
    has: (key) => counts.has(key),
    count: (key) => counts.get(key) ?? 0,
    size: () => counts.size,
  };
}
