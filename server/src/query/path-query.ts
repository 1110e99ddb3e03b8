import type { Catalog, Column } from '../catalog/catalog.ts';
import { findColumn } from '../catalog/catalog.ts';
import type { TimeColumn } from '../dialects/dialect.ts';
import { dialectNamed } from '../dialects/index.ts';
import { type EntityGraph, type Relationship, hasOwnEntity } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import { endNamed } from '../model/relationship-ends.ts';
import { type PathScope, type ResolvedStep, pathScope, resolvePath } from '../model/relationship-path.ts';
import type { ObjectRead, QueryResult, RelationshipQuery } from './compiled-query.ts';
import { keyOf } from './element-query.ts';
import { elementScope, resolveColumn } from './element-scope.ts';
import { mergedReads } from './object-reads.ts';
import { noOwnEntity, relationshipDraft, unknownActivity } from './query-problems.ts';
import { groupsOf } from './print-query.ts';
import { quotePath } from './quote.ts';
import { textIn } from './select-columns.ts';
import { createSqlWriter } from './sql-writer.ts';
import { distinctTexts } from './text-columns.ts';

/** Properties of a key column that determine its canonical text; undefined if unknown. */
type KeyType = (Pick<Column, 'type' | 'sense' | 'timeForm' | 'collation'> & Pick<TimeColumn, 'timeZone'>) | undefined;

/** The query of one step, with its ends in path direction. */
interface Part {
  readonly query: RelationshipQuery;
  readonly from: PartEnd;
  readonly to: PartEnd;
}

interface PartEnd {
  readonly columns: readonly string[];
  readonly types: readonly KeyType[];
}

/** Builds the query of a relationship that is not a path. */
type BuildQuery = (relationship: Relationship) => QueryResult<RelationshipQuery>;

/**
 * The query of a path: the queries of its steps, joined by the keys of shared entities. For display and tests; an
 * import follows staged pairs instead.
 */
export function buildPathQuery(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: Catalog,
  buildQuery: BuildQuery,
): QueryResult<RelationshipQuery> {
  const scope = pathScope(graph);
  const built = pathPart({ graph, catalog, scope, buildQuery }, relationship);
  return 'problems' in built ? built : { query: built.query };
}

/**
 * Problems of missing or unknown ends, and of ends without entities; all other problems of a path are reported for its
 * steps.
 */
export function pathEndProblems(graph: EntityGraph, relationship: Relationship): readonly Problem[] {
  const ends = (['source', 'target'] as const).flatMap((end): readonly Problem[] => {
    const activity = relationship[end];
    if (!activity) return [relationshipDraft(relationship, `it has no ${end}. Add its "${end}".`)];
    const found = endNamed(graph, activity.value);
    if (!found) return [unknownActivity(activity)];
    return 'isMasterData' in found || hasOwnEntity(found) ? [] : [noOwnEntity(activity)];
  });
  if (relationship.path?.steps.length !== 0) return ends;
  return [...ends, relationshipDraft(relationship, 'its path has no steps. Name the relationships that it follows.')];
}

interface Surroundings {
  readonly graph: EntityGraph;
  readonly catalog: Catalog;
  readonly scope: PathScope;
  readonly buildQuery: BuildQuery;
}

function pathPart(known: Surroundings, relationship: Relationship): Part | { readonly problems: readonly Problem[] } {
  const { steps, problems } = resolvePath(relationship, known.scope);
  const all = [...pathEndProblems(known.graph, relationship), ...problems];
  if (all.length > 0) return { problems: all };
  const parts: Part[] = [];
  for (const step of steps) {
    const part = stepPart(known, step);
    if ('problems' in part) return part;
    parts.push(part);
  }
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return { problems: [] };
  return joinedParts(parts, first, last, known.catalog);
}

function stepPart(
  known: Surroundings,
  { relationship, isReversed }: ResolvedStep,
): Part | { readonly problems: readonly Problem[] } {
  if (relationship.path) {
    const part = pathPart(known, relationship);
    return 'problems' in part ? part : directed(part, isReversed);
  }
  const built = known.buildQuery(relationship);
  if ('problems' in built) return built;
  const { query } = built;
  const end = (name: 'source' | 'target', columns: readonly string[]): PartEnd => ({
    columns,
    types: keyTypes(known, relationship[name]?.value),
  });
  return directed({ query, from: end('source', query.sourceKey), to: end('target', query.targetKey) }, isReversed);
}

function directed({ query, from, to }: Part, isReversed: boolean): Part {
  return isReversed ? { query, from: to, to: from } : { query, from, to };
}

function joinedParts(parts: readonly Part[], first: Part, last: Part, catalog: Catalog): Part {
  const dialect = dialectNamed(catalog.dialect);
  const { quote } = dialect.identifiers;
  const alias = (index: number): string => `step_${index + 1}`;
  const sourceKey = first.from.columns.map((_, index) => `source_key_${index + 1}`);
  const targetKey = last.to.columns.map((_, index) => `target_key_${index + 1}`);
  const result = (at: number, columns: readonly string[], names: readonly string[]): readonly string[] =>
    columns.map((column, index) => `${quotePath([alias(at), column], dialect)} AS ${quote(names[index] ?? column)}`);
  const grouped = (at: number, end: PartEnd) =>
    end.columns.map((column, index) => ({
      sql: quotePath([alias(at), column], dialect),
      textType: textType(end.types[index]),
    }));
  const groups = groupsOf([...grouped(0, first.from), ...grouped(parts.length - 1, last.to)], dialect);
  const items = [...result(0, first.from.columns, sourceKey), ...result(parts.length - 1, last.to.columns, targetKey)];
  const writer = createSqlWriter();
  writer.text(`SELECT${groups ? '' : ' DISTINCT'}\n  ${items.join(',\n  ')}\nFROM (\n`);
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (before) writer.text('\nJOIN (\n');
    writer.query(part.query);
    writer.text(`\n) AS ${quote(alias(index))}`);
    if (before) writer.text(`\n  ON ${meeting(before.to, alias(index - 1), part.from, alias(index), catalog)}`);
  }
  if (groups) writer.text(groups);
  const queries = parts.map(({ query }) => query);
  const texts = distinctTexts(queries.flatMap((query) => query.texts ?? []));
  const reads = queries.flatMap((query) => query.reads ?? []);
  const query: RelationshipQuery = {
    kind: 'relationship',
    dialect: catalog.dialect,
    ...writer.finish(),
    columns: [...sourceKey, ...targetKey],
    dataObjects: [...new Set(queries.flatMap(({ dataObjects }) => dataObjects))],
    sourceKey,
    targetKey,
    zones: zonesOfEnds(sourceKey, first.from.types, targetKey, last.to.types),
    texts: texts.length > 0 ? texts : undefined,
    reads: reads.length > 0 ? mergedReads(reads.map(wholeRead)) : undefined,
  };
  return {
    query,
    from: { columns: sourceKey, types: first.from.types },
    to: { columns: targetKey, types: last.to.types },
  };
}

/**
 * Join conditions of two steps: equal keys, compared as texts if column types differ, or as times however these are
 * stored.
 */
function meeting(
  left: PartEnd,
  leftAlias: string,
  right: PartEnd,
  rightAlias: string,
  { dialect: name, timeZone = 'UTC' }: Catalog,
): string {
  const dialect = dialectNamed(name);
  return left.columns
    .map((column, index) => {
      const [one, other] = [left.types[index], right.types[index]];
      const areAlike = one === undefined || other === undefined || one.type === other.type;
      const areTexts = one?.sense === 'text' && other?.sense === 'text';
      const { texts, times } = dialect.operators;
      const asTexts = areTexts && !texts?.areAlike?.(one, other, '=') ? texts : undefined;
      const areTimes = one?.sense === 'timestamp' && other?.sense === 'timestamp';
      const asTimes = areTimes && times && !times.areAlike(one, other, timeZone) ? times : undefined;
      const sql = (path: readonly string[], type: KeyType, second: KeyType): string => {
        const value = quotePath(path, dialect);
        if (asTimes && type && second) return asTimes.operand(value, type, timeZone, second);
        if (asTexts) return asTexts.operand(value, '=');
        return areAlike || !type ? value : dialect.canonical.value(`(${value})`, type.type, type.sense);
      };
      return `${sql([leftAlias, column], one, other)} = ${sql([rightAlias, right.columns[index] ?? column], other, one)}`;
    })
    .join('\n  AND ');
}

/** The zones of the keys to which a path leads. */
function zonesOfEnds(
  sourceKey: readonly string[],
  sourceTypes: readonly KeyType[],
  targetKey: readonly string[],
  targetTypes: readonly KeyType[],
): RelationshipQuery['zones'] {
  const types = [...sourceTypes, ...targetTypes];
  const zones = [...sourceKey, ...targetKey].flatMap((name, index) => {
    const timeZone = types[index]?.timeZone;
    return timeZone === undefined ? [] : [[name, timeZone] as const];
  });
  return zones.length > 0 ? Object.fromEntries(zones) : undefined;
}

function textType(type: KeyType): KeyType {
  return type?.sense === 'text' ? type : undefined;
}

/** Any pair of a step may be needed, so reads cannot end early. */
function wholeRead({ link: _link, ...read }: ObjectRead): ObjectRead {
  return { ...read, leads: false };
}

function keyTypes({ graph, catalog }: Surroundings, activity: string | undefined): readonly KeyType[] {
  const element = activity === undefined ? undefined : endNamed(graph, activity);
  const scope = element?.dataObject && elementScope(element, element.dataObject, catalog);
  if (!element?.dataObject || !scope) return [];
  return keyOf(element, element.dataObject, scope).map((name): KeyType => {
    const resolved = resolveColumn(name.value, scope);
    if (!resolved) return undefined;
    if (textIn(scope, resolved)) return { type: 'VARCHAR', sense: 'text' };
    const object = resolved.kind === 'own' ? scope.object : scope.joinedObject(resolved.alias);
    const column = object && findColumn(object, resolved.name);
    return column && element.timeZone ? { ...column, timeZone: element.timeZone.value } : column;
  });
}
