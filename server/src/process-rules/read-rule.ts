import type { BrokenBy, RuleDetails } from '../../../protocol/event-graph.ts';
import { defaultViolations } from '../../../protocol/rule-outcome.ts';
import { type EntityGraph, elementEntityType, masterDataName } from '../model/entity-graph.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { judgeRules } from './judge-rules.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { isClear, ruleKindOf } from '../rule-kinds/rule-kinds.ts';
import { judgedGraphTables } from './judged-graph-tables.ts';
import { brokenBySql, daysSql, propertiesSql, valuesSql } from './rule-breakdown-sql.ts';
import { type CompleteRule, isComplete } from './rule-sql.ts';
import { brokenBy } from './broken-by.ts';
import { type JudgedDay, trendOf } from './rule-trend.ts';

/** The rules of a text, or of the text that was imported. Rejects as the store does. */
export async function rulesOf(
  store: StoreReader,
  text: string | undefined,
  options: StatementOptions,
): Promise<readonly ProcessRule[]> {
  return (await graphJudged(store, text, options)).rules;
}

/** The graph of a text, or of the text that was imported. Rejects as the store does. */
export async function graphJudged(
  store: StoreReader,
  text: string | undefined,
  options: StatementOptions,
): Promise<EntityGraph> {
  return parseEntityGraph(text ?? (await importedText(store, options))).graph;
}

async function importedText(store: StoreReader, options: StatementOptions): Promise<string> {
  const [run] = await store.query('SELECT config FROM run', options);
  return String(run?.['config'] ?? '');
}

/**
 * Judges a rule, and breaks its violations down by entity, time and values. Rejects like the store. @param property the
 * property by whose values violations are grouped; default: the most informative one
 */
export async function readRule(
  store: StoreReader,
  rule: ProcessRule,
  { entities }: Pick<EntityGraph, 'entities'>,
  property: string | undefined,
  options: StatementOptions,
): Promise<RuleDetails> {
  const [result] = await judgeRules([rule], store, { ...options, limit: 0 });
  if (!result) throw new Error('A rule was not judged.');
  const expectations = rule.expect.filter(isClear).map((each) => ruleKindOf(each).text(each));
  const nothing = { result, expectations, violations: [], trend: { unit: 'week', buckets: [] }, properties: [] };
  if (result.error !== undefined || !isComplete(rule)) return nothing;
  const graph = await judgedGraphTables(store, options);
  const number = await importedNumber(store, rule, options);
  return {
    result,
    expectations,
    violations: await readViolations(store, rule, graph, entities, options),
    trend: trendOf((await store.query(daysSql(rule, graph), options)).map(dayOf)),
    ...(await readValues(store, rule, graph, { wanted: property, concerned: result.concerned }, options)),
    imported: number,
  };
}

function dayOf(row: Readonly<Record<string, unknown>>): JudgedDay {
  return { start: String(row['start']), concerned: Number(row['concerned']), broken: Number(row['broken']) };
}

async function readViolations(
  store: StoreReader,
  rule: CompleteRule,
  graph: JudgedGraphTables,
  entries: EntityGraph['entities'],
  options: StatementOptions,
): Promise<readonly BrokenBy[]> {
  const rows = await store.query(brokenBySql(rule, graph, defaultViolations), options);
  const owners = [...new Set(rows.flatMap(({ own }) => (own === null ? [] : [Number(own)])))];
  const elements = await elementsOf(store, owners, options);
  return brokenBy(rule, rows, (row) => {
    const entity = { id: Number(row['own']), entityType: String(row['entity_type']), key: String(row['key']) };
    const named = entries.filter((entry) => elementEntityType(entry) === entity.entityType);
    return {
      entity: row['own'] === null ? undefined : entity,
      event: row['event'] === null ? undefined : Number(row['event']),
      rows: [
        ...(elements.get(entity.id) ?? []).map((name) => ({ kind: 'element' as const, name })),
        ...named.map((entry) => ({ kind: 'entities' as const, name: masterDataName(entry) ?? '' })),
      ],
    };
  });
}

/** The elements that make events of entities, by the id of the entity. */
async function elementsOf(
  store: StoreReader,
  entities: readonly number[],
  options: StatementOptions,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const found = new Map<number, readonly string[]>();
  if (entities.length === 0) return found;
  const rows = await store.query(
    `SELECT entity_id, element, min(id) AS first FROM event WHERE entity_id IN (${entities.join(', ')}) GROUP BY ALL ORDER BY entity_id, first`,
    options,
  );
  for (const row of rows) {
    const id = Number(row['entity_id']);
    found.set(id, [...(found.get(id) ?? []), String(row['element'])]);
  }
  return found;
}

/** Properties with more values than this name things rather than describe them. */
const mostValues = 50;
/** Properties with nearly unique values are left out as well. */
const fewestOfValue = 3;
const shownValues = 10;

async function readValues(
  store: StoreReader,
  rule: CompleteRule,
  graph: JudgedGraphTables,
  { wanted, concerned }: { readonly wanted: string | undefined; readonly concerned: number },
  options: StatementOptions,
): Promise<Pick<RuleDetails, 'properties' | 'values'>> {
  const tables = graph.properties.filter(({ isOfEvents }) => isOfEvents || !rule.each.activity);
  const all = [...new Set(tables.flatMap(({ properties }) => properties))];
  if (all.length === 0) return { properties: [] };
  const rows = await store.query(propertiesSql(rule, graph, all), options);
  const known = rows
    .filter((row) => Number(row['known_values']) > 0)
    .map((row) => ({
      name: all[Number(row['property'])] ?? '',
      values: Number(row['distinct_values']),
      told: Number(row['told'] ?? 0),
    }));
  const properties = known.map(({ name }) => name);
  const telling = known
    .filter(({ values }) => values > 1 && values <= Math.min(mostValues, concerned / fewestOfValue))
    .sort((a, b) => b.told - a.told);
  const property = properties.find((name) => name === wanted) ?? telling[0]?.name ?? properties[0];
  if (property === undefined) return { properties };
  const counted = await store.query(valuesSql(rule, graph, property, shownValues), options);
  return {
    properties,
    values: {
      property,
      values: counted.map((row) => ({
        value: row['value'] === null ? null : String(row['value']),
        concerned: Number(row['concerned']),
        broken: Number(row['broken']),
      })),
      others: Math.max(0, Number(counted[0]?.['all_values'] ?? 0) - shownValues),
    },
  };
}

/** The number of the same rule in the table `rule`. */
async function importedNumber(
  store: StoreReader,
  rule: ProcessRule,
  options: StatementOptions,
): Promise<number | undefined> {
  const [table] = await store.query("SELECT 1 FROM duckdb_tables() WHERE table_name = 'rule_violation'", options);
  if (!table) return undefined;
  const imported = parseEntityGraph(await importedText(store, options)).graph.rules;
  const same = imported.find((each) => meaning(each) === meaning(rule));
  return same && same.index + 1;
}

/** The content of a rule, independent of its position. */
function meaning({ name, each, expect }: ProcessRule): string {
  const places = new Set(['range', 'index', 'sourceOffsets']);
  return JSON.stringify([name?.value, each, expect], (key, value: unknown) => (places.has(key) ? undefined : value));
}
