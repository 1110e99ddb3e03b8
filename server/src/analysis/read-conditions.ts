import type { GraphFilter, PathCondition, VariantCondition } from '../../../protocol/event-graph.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type ConditionText, type PathEnds, readConditionText } from './condition-text.ts';
import { type ReadTypeFilter, entityCondition } from './filter-entities.ts';
import { QuestionError } from './question-error.ts';
import { readFilter } from './read-filter.ts';
import { numberedPathsSql } from './variant-sql.ts';

/** The graph whose names conditions use. */
export interface NamedGraph {
  readonly store: StoreReader;
  readonly entityType: string;
  /** A filter that was saved under a name. Rejects with `QuestionError` for an unknown one. */
  namedFilter(name: string): Promise<GraphFilter>;
}

/**
 * The filter that conditions make together (docs/semantics.md#192-conditions). Rejects with `QuestionError` for names
 * that the graph does not have: a misspelt activity would keep no entity, or all of them.
 */
export async function readConditions(
  texts: readonly string[],
  graph: NamedGraph,
  options: StatementOptions,
): Promise<ReadTypeFilter> {
  return allOf(await readEachCondition(texts, graph, options), graph, options);
}

/** A filter for each condition. Rejects as `readConditions` does. */
export async function readEachCondition(
  texts: readonly string[],
  graph: NamedGraph,
  options: StatementOptions,
): Promise<readonly GraphFilter[]> {
  const conditions = texts.map(readConditionText);
  const usesActivities = conditions.some(({ kind }) => kind === 'with' || kind === 'without' || kind === 'path');
  const known = usesActivities ? await activitiesOf(graph.store, options) : new Set<string>();
  const filters: GraphFilter[] = [];
  for (const condition of conditions) filters.push(await filterOf(condition, known, graph, options));
  return filters;
}

async function filterOf(
  condition: ConditionText,
  activities: ReadonlySet<string>,
  graph: NamedGraph,
  options: StatementOptions,
): Promise<GraphFilter> {
  switch (condition.kind) {
    case 'sql':
      return { where: [condition.sql] };
    case 'with':
    case 'without': {
      const { kind, activity } = condition;
      return { activities: [{ activity: knownActivity(activity, activities), occurs: kind === 'with' }] };
    }
    case 'path':
      return { paths: [knownPath(condition, activities)] };
    case 'slower':
      return { throughput: { slower: condition.milliseconds } };
    case 'faster':
      return { throughput: { faster: condition.milliseconds } };
    case 'from':
      return { from: condition.time };
    case 'to':
      return { to: condition.time };
    case 'variant':
      return { variant: await variantNumbered(condition.number, graph, options) };
    case 'broken':
      return { rule: await ruleNamed(condition.rule, graph.store, options) };
    case 'filter':
      return graph.namedFilter(condition.name);
  }
}

/** The entities that all filters keep. Those with one value of a kind, such as a rule, are selected separately. */
export async function allOf(
  filters: readonly GraphFilter[],
  { store, entityType }: NamedGraph,
  options: StatementOptions,
): Promise<ReadTypeFilter> {
  for (const other of filters) {
    if (other.entityType !== undefined && other.entityType !== entityType)
      throw new QuestionError(`A named filter is for ${other.entityType}, not for ${entityType}.`);
  }
  const all = <T>(listOf: (filter: GraphFilter) => readonly T[] | undefined): readonly T[] =>
    filters.flatMap((filter) => listOf(filter) ?? []);
  const [latest] = all(({ from }) => (from === undefined ? [] : [from]))
    .toSorted()
    .reverse();
  const [earliest] = all(({ to }) => (to === undefined ? [] : [to])).toSorted();
  const slower = all(({ throughput }) => (throughput?.slower === undefined ? [] : [throughput.slower]));
  const faster = all(({ throughput }) => (throughput?.faster === undefined ? [] : [throughput.faster]));
  const limits = {
    ...(slower.length > 0 && { slower: Math.max(...slower) }),
    ...(faster.length > 0 && { faster: Math.min(...faster) }),
  };
  const { selected = [], ...together } = await readFilter(
    store,
    {
      entityType,
      from: latest,
      to: earliest,
      activities: all(({ activities }) => activities),
      paths: all(({ paths }) => paths),
      values: all(({ values }) => values),
      where: all(({ where }) => where),
      ...(Object.keys(limits).length > 0 && { throughput: limits }),
    },
    options,
  );
  const single = filters.flatMap(({ property, rule, variant, related }) => {
    const condition = entityCondition({ property, rule, related, ...(variant && { variant, entityType }) }, 'x.id');
    return condition === undefined ? [] : [`SELECT x.id FROM entity AS x WHERE ${condition}`];
  });
  return { ...together, entityType, selected: [...selected, ...single] };
}

async function activitiesOf(store: StoreReader, options: StatementOptions): Promise<ReadonlySet<string>> {
  const rows = await store.query('SELECT DISTINCT activity FROM event', options);
  return new Set(rows.map((row) => String(row['activity'])));
}

function knownActivity(activity: string, known: ReadonlySet<string>): string {
  if (known.has(activity)) return activity;
  throw new QuestionError(`The graph has no activity "${activity}".`, didYouMean(nearestNames(activity, known)));
}

function knownPath(
  { follows, ends }: { readonly follows: PathCondition['follows']; readonly ends: readonly PathEnds[] },
  known: ReadonlySet<string>,
): PathCondition {
  const found = ends.find(({ source, target }) => known.has(source) && known.has(target));
  if (found) return { ...found, follows };
  const [first] = ends;
  if (!first) throw new QuestionError('A path has no activities.');
  return {
    source: knownActivity(first.source, known),
    target: knownActivity(first.target, known),
    follows,
  };
}

/** @param number as `variants` lists them */
async function variantNumbered(
  number: number,
  { store, entityType }: NamedGraph,
  options: StatementOptions,
): Promise<VariantCondition> {
  const isIt = `FILTER (WHERE number = ${Math.trunc(number)})`;
  const [row] = await store.query(
    `SELECT any_value(id) ${isIt} AS id, any_value(events) ${isIt} AS events, max(number) AS variants
     FROM (${numberedPathsSql(entityType)}) AS numbered`,
    options,
  );
  const id = row?.['id'] ?? undefined;
  if (row && id !== undefined) return { id: String(id), events: Number(row['events']) };
  const variants = Number(row?.['variants'] ?? 0);
  throw new QuestionError(`There is no variant ${number}: entities of the type ${entityType} have ${variants}.`);
}

async function ruleNamed(
  name: string,
  store: StoreReader,
  options: StatementOptions,
): Promise<{ readonly number: number; readonly name: string }> {
  const [table] = await store.query("SELECT 1 FROM duckdb_tables() WHERE table_name = 'rule_violation'", options);
  const rows = table ? await store.query('SELECT number, name FROM rule ORDER BY number', options) : [];
  const found = rows.find((row) => row['name'] === name);
  if (found) return { number: Number(found['number']), name };
  const names = rows.map((row) => String(row['name']));
  const remedy = didYouMean(nearestNames(name, names));
  throw new QuestionError(
    names.length === 0 ? 'The import judged no rules.' : `The import judged no rule "${name}".`,
    remedy ?? (names.length === 0 ? 'Write rules in the entity graph and import it.' : undefined),
  );
}
