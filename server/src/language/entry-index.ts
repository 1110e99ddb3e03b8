import { type Catalog, type SqlDialect, findDataObject } from '../catalog/catalog.ts';
import {
  type EntityElement,
  type EntityGraph,
  type Relationship,
  elementEntityType,
  relationshipName,
} from '../model/entity-graph.ts';
import { sqlOfElement } from '../model/time-expression.ts';
import { identifierKey, mentionedNames } from '../query/sql-names.ts';

/**
 * What rules ask about all entries together, kept up to date as entries come and go, so that a keystroke in one of many
 * need not look at the others.
 */
export interface EntryIndex {
  /** The first element of the file with this activity name. */
  elementNamed(activityName: string): EntityElement | undefined;
  activityNames(): Iterable<string>;
  /** The relationships that name an activity as one of their ends. */
  relationshipsOf(activityName: string): Iterable<Relationship>;
  /** Whether two elements have one activity name. */
  readonly hasDuplicateActivities: boolean;
  /** Whether two relationships have one effective name. */
  readonly hasDuplicateRelationships: boolean;
  /** Whether elements of one entity type have keys of different widths. */
  readonly hasMixedKeys: boolean;
  /** Activity names that no relationship names as an end. */
  readonly unrelated: ReadonlySet<string>;
  /** Names that relationships have as an end and no element has. */
  readonly unknownEnds: ReadonlySet<string>;
  /** The elements by the data object that they read. */
  readonly elementsByObject: ReadonlyMap<string, ReadonlySet<EntityElement>>;
  /** Whether an entry of a list has nothing by which those of the list are told. */
  hasStranger(list: 'elements' | 'relationships'): boolean;
  /** How many elements share an entity type. */
  elementsOfType(entityType: string): number;
  /** Whether an element or cross table reads a data object. */
  reads(dataObject: string): boolean;
  /** Whether custom SQL names something so: filters, joins and expressions may read any table in a subquery. */
  mentions(name: string): boolean;
  /** The relationships that are paths. */
  readonly paths: ReadonlySet<Relationship>;
  addElement(element: EntityElement): void;
  removeElement(element: EntityElement): void;
  addRelationship(relationship: Relationship): void;
  removeRelationship(relationship: Relationship): void;
}

export function createEntryIndex(catalog: Catalog | undefined): EntryIndex {
  const named = new Map<string, EntityElement[]>();
  const relationshipsByEnd = new Map<string, Set<Relationship>>();
  const relationshipNames = createCounts<string>();
  const reads = createCounts<string>();
  const types = createCounts<string>();
  const unrelated = new Set<string>();
  const unknownEnds = new Set<string>();
  const elementsByObject = new Map<string, Set<EntityElement>>();
  const strangers = { elements: 0, relationships: 0 };
  const paths = new Set<Relationship>();
  const widths = new Map<string, Counts<number>>();
  /** Entries with custom SQL, and the names in it once they were asked for. */
  const sqlNames = new Map<EntityElement | Relationship, ReadonlySet<string> | undefined>();
  const dialect = catalog?.dialect ?? 'duckdb';
  let duplicateActivities = 0;
  let duplicateRelationships = 0;
  let mixedTypes = 0;

  function countWidth(element: EntityElement, add: boolean): void {
    const type = elementEntityType(element);
    if (type !== undefined && add) types.add(type);
    else if (type !== undefined) types.remove(type);
    const width = keyWidthOf(element, catalog);
    if (type === undefined || width === 0) return;
    const counts = widths.get(type) ?? createCounts<number>();
    widths.set(type, counts);
    const before = counts.size();
    if (add) counts.add(width);
    else counts.remove(width);
    mixedTypes += Number(counts.size() > 1) - Number(before > 1);
  }

  return {
    elementNamed(name) {
      const elements = named.get(name) ?? [];
      return elements.length < 2 ? elements[0] : elements.toSorted((left, right) => left.index - right.index)[0];
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
    elementsByObject,
    paths,
    hasStranger: (list) => strangers[list] > 0,
    elementsOfType: (entityType) => types.count(entityType),
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
      const { activityName, dataObject } = element;
      if (activityName) {
        const same = named.get(activityName.value);
        if (same) same.push(element);
        else named.set(activityName.value, [element]);
        duplicateActivities += same ? 1 : 0;
        unknownEnds.delete(activityName.value);
        if (!relationshipsByEnd.has(activityName.value)) unrelated.add(activityName.value);
      }
      if (dataObject) {
        reads.add(dataObject.value);
        const readers = elementsByObject.get(dataObject.value) ?? new Set();
        elementsByObject.set(dataObject.value, readers.add(element));
      }
      strangers.elements += isStranger(element) ? 1 : 0;
      if (sqlOfElement(element).length > 0) sqlNames.set(element, undefined);
      countWidth(element, true);
    },
    removeElement(element) {
      const { activityName, dataObject } = element;
      const same = activityName && named.get(activityName.value);
      if (activityName && same) {
        same.splice(same.indexOf(element), 1);
        if (same.length > 0) duplicateActivities -= 1;
        else {
          named.delete(activityName.value);
          unrelated.delete(activityName.value);
          if (relationshipsByEnd.has(activityName.value)) unknownEnds.add(activityName.value);
        }
      }
      if (dataObject) {
        reads.remove(dataObject.value);
        const readers = elementsByObject.get(dataObject.value);
        readers?.delete(element);
        if (readers?.size === 0) elementsByObject.delete(dataObject.value);
      }
      strangers.elements -= isStranger(element) ? 1 : 0;
      sqlNames.delete(element);
      countWidth(element, false);
    },
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
      strangers.relationships += isStranger(relationship) ? 1 : 0;
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
        if (named.has(end)) unrelated.add(end);
      }
      strangers.relationships -= isStranger(relationship) ? 1 : 0;
      if (relationship.crossTable?.dataObject) reads.remove(relationship.crossTable.dataObject.value);
      sqlNames.delete(relationship);
    },
  };
}

/** An index of a graph that is looked at once. */
export function indexOf(graph: EntityGraph, catalog: Catalog | undefined): EntryIndex {
  const index = createEntryIndex(catalog);
  for (const element of graph.elements) index.addElement(element);
  for (const relationship of graph.relationships) index.addRelationship(relationship);
  return index;
}

/** How many columns identify an entity of an element; 0 when that is not known. */
export function keyWidthOf({ key, dataObject }: EntityElement, catalog: Catalog | undefined): number {
  if (key) return key.length;
  const object = catalog && dataObject && findDataObject(catalog, dataObject.value);
  return object?.primaryKey.length ?? 0;
}

/** Whether an entry has nothing that only those of its list have. */
export function isStranger(entry: EntityElement | Relationship): boolean {
  return 'mappings' in entry ? !entry.source && !entry.target : !entry.activityName && !entry.dataObject;
}

/** The names in the custom SQL of an entry, as its dialect compares them. */
function namesInSql(entry: EntityElement | Relationship, dialect: SqlDialect): ReadonlySet<string> {
  const sql =
    'mappings' in entry
      ? entry.mappings.map((mapping) => (mapping.kind === 'expression' ? mapping.expression : undefined))
      : sqlOfElement(entry);
  return new Set(sql.flatMap((each) => (each ? [...mentionedNames(each.value, dialect)] : [])));
}

function endsOf({ source, target }: Relationship): readonly string[] {
  return [source, target].flatMap((end) => end?.value ?? []);
}

/** Only a name that was given, or that both ends make, can be meant twice. */
function nameOf(relationship: Relationship): string | undefined {
  const { name, source, target } = relationship;
  return (name ?? (source && target)) ? relationshipName(relationship) : undefined;
}

interface Counts<Key> {
  /** How often it is there now. */
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
