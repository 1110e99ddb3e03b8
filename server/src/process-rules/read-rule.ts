import type { BrokenBy, RuleDetails } from '../../../protocol/event-graph.ts';
import { defaultViolations } from '../../../protocol/rule-outcome.ts';
import { type EntityGraph, elementEntityType, masterDataName } from '../model/entity-graph.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { judgeRules } from './judge-rules.ts';
import type { JudgedAmong, JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { isClear, ruleKindOf } from '../rule-kinds/rule-kinds.ts';
import { judgedGraphTables } from './judged-graph-tables.ts';
import { brokenBySql, daysSql, propertiesSql, valuesSql } from './rule-breakdown-sql.ts';
import { type CompleteRule, createOutcomesSql, dropOutcomesSql, isComplete } from './rule-sql.ts';
import { brokenBy } from './broken-by.ts';

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

interface RuleView {
  /** The property by whose values violations are grouped; default: the most informative one. */
  readonly property: string | undefined;
  /** What is judged; default: all. */
  readonly among?: JudgedAmong | undefined;
}

/** Judges a rule, and breaks its violations down by entity, time and values. Rejects like the store. */
export async function readRule(
  store: StoreReader,
  rule: ProcessRule,
  { entities }: Pick<EntityGraph, 'entities'>,
  { property, among }: RuleView,
  options: StatementOptions,
): Promise<RuleDetails> {
  const [result] = await judgeRules([rule], store, { ...options, limit: 0, among: () => among });
  if (!result) throw new Error('A rule was not judged.');
  const expectations = rule.expect.filter(isClear).map((each) => ruleKindOf(each).text(each));
  const nothing = { result, expectations, violations: [], trend: { unit: 'week', buckets: [] }, properties: [] };
  if (result.error !== undefined || !isComplete(rule)) return nothing;
  const graph = { ...(await judgedGraphTables(store, options)), among };
  const number = await importedNumber(store, rule, options);
  await store.run(createOutcomesSql(rule, graph), options);
  try {
    return {
      result,
      expectations,
      violations: await readViolations(store, rule, entities, options),
      trend: trendOf((await store.query(daysSql(rule), options)).map(dayOf)),
      ...(await readValues(store, rule, graph, { wanted: property, concerned: result.concerned }, options)),
      imported: number,
    };
  } finally {
    await store.run(dropOutcomesSql).catch(() => undefined);
  }
}

function dayOf(row: Readonly<Record<string, unknown>>): JudgedDay {
  return { start: String(row['start']), concerned: Number(row['concerned']), broken: Number(row['broken']) };
}

async function readViolations(
  store: StoreReader,
  rule: CompleteRule,
  entries: EntityGraph['entities'],
  options: StatementOptions,
): Promise<readonly BrokenBy[]> {
  const rows = await store.query(brokenBySql(defaultViolations), options);
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
function meaning({ name, each, expect, workingTime }: ProcessRule): string {
  const places = new Set(['range', 'index', 'sourceOffsets']);
  return JSON.stringify([name?.value, each, expect, workingTime], (key, value: unknown) =>
    places.has(key) ? undefined : value,
  );
}

/** How many a rule concerns on a day (`2026-11-24`), and how many of them break it. */
interface JudgedDay {
  readonly start: string;
  readonly concerned: number;
  readonly broken: number;
}

const dayMs = 86_400_000;
/** More columns than this are too thin to read. */
const mostColumns = 60;
/** Fewer weeks than this show less than their days. */
const fewestWeeks = 6;

const units: readonly (readonly [name: string, days: number, startOf: (day: Date) => Date])[] = [
  ['day', 1, (day) => day],
  ['week', 7, (day) => new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * dayMs)],
  ['month', 30.44, (day) => new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1))],
  ['quarter', 91.3, (day) => new Date(Date.UTC(day.getUTCFullYear(), Math.floor(day.getUTCMonth() / 3) * 3, 1))],
  ['year', 365.25, (day) => new Date(Date.UTC(day.getUTCFullYear(), 0, 1))],
];

/** Days summed up by week (from Monday), month or longer, by how far they are apart. */
function trendOf(days: readonly JudgedDay[]): RuleDetails['trend'] {
  const [first, last] = [days[0], days.at(-1)];
  const span = first && last ? (Date.parse(last.start) - Date.parse(first.start)) / dayMs + 1 : 0;
  const fits = ([name, length]: (typeof units)[number]): boolean =>
    name === 'day' ? span < 7 * fewestWeeks : span / length <= mostColumns;
  const [unit, , startOf] = units.find(fits) ?? (units.at(-1) as (typeof units)[number]);
  const buckets = new Map<string, JudgedDay>();
  for (const { start, concerned, broken } of days) {
    const begin = startOf(new Date(`${start}T00:00:00Z`)).toISOString();
    const before = buckets.get(begin) ?? { start: begin, concerned: 0, broken: 0 };
    buckets.set(begin, { start: begin, concerned: before.concerned + concerned, broken: before.broken + broken });
  }
  return { unit, buckets: [...buckets.values()] };
}
