import type { Cause, CausesAnswer, LeftOutProperty } from '../../../../protocol/analysis.ts';
import type { GraphFilter } from '../../../../protocol/event-graph.ts';
import { judgedGraphTables } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedGraphTables } from '../../rule-kinds/judged-tables.ts';
import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import { subjectSql } from '../answer-measures.ts';
import { propertiesOfType } from '../entity-properties.ts';
import type { ReadTypeFilter } from '../filter-entities.ts';
import { type EntityProperty, entityProperties, firstValuesSql } from './first-values.ts';
import { type Factor, fewestEntities, readFactors } from './factors.ts';
import { definingNames, outcomePlaces } from './outcome.ts';
import { type Share, differenceP, holm, shareDifference } from './significance.ts';

const level = 0.01;
/** Pairs of more properties would be thousands of groupings. */
const mostPaired = 40;

interface CausesQuestion {
  readonly filter: ReadTypeFilter;
  /** The entities with the outcome, and the conditions that define it. */
  readonly outcome: ReadTypeFilter;
  readonly conditions: readonly GraphFilter[];
}

/**
 * The values, and pairs of values, of properties that go with an outcome (docs/semantics.md#195-what-goes-with-an-outcome). Rejects as
 * the store does.
 */
export async function findCauses(
  store: StoreReader,
  question: CausesQuestion,
  options: StatementOptions,
): Promise<CausesAnswer> {
  const graph = await judgedGraphTables(store, options);
  const all = entityProperties(await propertiesOfType(store, question.filter.entityType, graph, options), graph);
  const defining = await namesOfOutcome(store, question.conditions, options);
  const properties = all.filter(({ name }) => !defining.has(name.toLowerCase()));
  await store.run(valuesTableSql(question, properties, graph), options);
  try {
    const [counted] = await store.query(
      `SELECT count(*) AS entities, count(*) FILTER (WHERE found) AS found${properties
        .map((_, index) => `, ${lateSql(index)} AS late_${index}`)
        .join('')} FROM ${valuesTable}`,
      options,
    );
    const isLate = properties.map((_, index) => counted?.[`late_${index}`] === true);
    const factors = await readFactors(store, valuesTable, properties, isLate, options);
    const total = { found: Number(counted?.['found'] ?? 0), of: Number(counted?.['entities'] ?? 0) };
    const testedPairs = factors.length <= mostPaired;
    const groups = factors.length === 0 ? [] : await readGroups(store, factors, testedPairs, options);
    const tested = testsOf(groups, factors);
    return {
      entities: total.of,
      withOutcome: total.found,
      ...causesOf(tested, factors, total),
      tests: tested.length,
      leftOut: leftOut(all, { defining, properties, isLate, factors }),
      testedPairs,
    };
  } finally {
    await store.run(`DROP TABLE IF EXISTS ${valuesTable}`).catch(() => undefined);
  }
}

/** Of this connection: a row an entity. */
const valuesTable = 'temp.cause_value';

function namesOfOutcome(
  store: StoreReader,
  conditions: readonly GraphFilter[],
  options: StatementOptions,
): Promise<ReadonlySet<string>> {
  const properties = conditions.flatMap(({ values = [], property }) => [
    ...values.map((value) => value.property),
    ...(property ? [property.name] : []),
  ]);
  const sql = conditions.flatMap(({ where = [] }) => where);
  const rules = conditions.flatMap(({ rule }) => (rule ? [rule.name] : []));
  return definingNames(store, sql, rules, options).then(
    (names) => new Set([...names, ...properties.map((name) => name.toLowerCase())]),
  );
}

function valuesTableSql(
  { filter, outcome, conditions }: CausesQuestion,
  properties: readonly EntityProperty[],
  graph: JudgedGraphTables,
): string {
  const places = conditions.flatMap(outcomePlaces);
  const place =
    places.length === 0 ? 'SELECT NULL::BIGINT AS entity_id, NULL::BIGINT AS place' : places.join('\nUNION ALL\n');
  const values = properties.map((_, index) => `, k.value_${index}, k.known_${index}`).join('');
  const known =
    properties.length === 0 ? '' : `LEFT JOIN (\n${firstValuesSql(properties, graph)}\n) AS k ON k.judged = s.judged`;
  return `CREATE OR REPLACE TEMP TABLE cause_value AS WITH subject AS MATERIALIZED (${subjectSql(filter)})
SELECT s.judged, o.judged IS NOT NULL AS found, p.place${values} FROM subject AS s
LEFT JOIN (${subjectSql(outcome)}) AS o ON o.judged = s.judged
LEFT JOIN (SELECT entity_id, max(place) AS place FROM (${place}) AS reached GROUP BY 1) AS p ON p.entity_id = s.judged
${known}`;
}

/** Whether most entities with the outcome got the value of a property only then. */
function lateSql(index: number): string {
  const isKnown = `found AND value_${index} IS NOT NULL`;
  return `count(*) FILTER (WHERE ${isKnown} AND known_${index} >= place) * 2 > count(*) FILTER (WHERE ${isKnown})`;
}

/** How many entities have some values, and the outcome. */
interface Group extends Share {
  /** By the index of the factor, the code of its value; null without one. */
  readonly codes: ReadonlyMap<number, number | null>;
}

async function readGroups(
  store: StoreReader,
  factors: readonly Factor[],
  withPairs: boolean,
  options: StatementOptions,
): Promise<readonly Group[]> {
  const codes = factors.map((_, index) => `code_${index}`);
  const pairs = withPairs
    ? codes.flatMap((one, index) => codes.slice(index + 1).map((other) => `(${one}, ${other})`))
    : [];
  const rows = await store.query(
    `SELECT ${codes.map((code, index) => `${code}, grouping(${code}) AS free_${index}`).join(', ')}, count(*) AS entities, count(*) FILTER (WHERE found) AS outcomes
FROM (SELECT found, ${factors.map(({ codeSql }, index) => `${codeSql} AS code_${index}`).join(', ')} FROM ${valuesTable}) AS coded
GROUP BY GROUPING SETS (${[...codes.map((code) => `(${code})`), ...pairs].join(', ')})`,
    options,
  );
  return rows.map((row) => ({
    codes: new Map(
      factors.flatMap((_, index) => {
        if (Number(row[`free_${index}`]) !== 0) return [];
        const code = row[`code_${index}`];
        return [[index, code === null || code === undefined ? null : Number(code)] as const];
      }),
    ),
    found: Number(row['outcomes']),
    of: Number(row['entities']),
  }));
}

/** A group that is compared with the entities that have other values of the same properties. */
interface Tested {
  readonly codes: ReadonlyMap<number, number>;
  readonly one: Share;
  readonly other: Share;
}

function testsOf(groups: readonly Group[], factors: readonly Factor[]): readonly Tested[] {
  const known = groups.filter(({ codes }) => ![...codes.values()].includes(null)) as readonly (Group & {
    readonly codes: ReadonlyMap<number, number>;
  })[];
  const keyOf = ({ codes }: Group): string => [...codes.keys()].join();
  const totals = new Map<string, { found: number; of: number }>();
  for (const group of known) {
    const total = totals.get(keyOf(group)) ?? { found: 0, of: 0 };
    totals.set(keyOf(group), { found: total.found + group.found, of: total.of + group.of });
  }
  return known.flatMap((group): readonly Tested[] => {
    const { codes, found, of } = group;
    const isOfValues = [...codes].every(([index, code]) => factors[index]?.values[code] !== undefined);
    const total = totals.get(keyOf(group)) ?? { found, of };
    const other = { found: total.found - found, of: total.of - of };
    return isOfValues && of >= fewestEntities && other.of >= fewestEntities
      ? [{ codes, one: { found, of }, other }]
      : [];
  });
}

function causesOf(
  tested: readonly Tested[],
  factors: readonly Factor[],
  total: Share,
): Pick<CausesAnswer, 'causes' | 'hiddenPairs'> {
  const p = tested.map(({ one, other }) => differenceP(one, other));
  const isSignificant = holm(p, level);
  const keyOf = (index: number, code: number): string => `${index} ${code}`;
  const differences = tested.map(({ one, other }) => shareDifference(one, other));
  const highest = new Map(
    tested.flatMap(({ codes }, place) =>
      codes.size === 1
        ? [...codes].map(([index, code]) => [keyOf(index, code), differences[place]?.high ?? 1] as const)
        : [],
    ),
  );
  const keysOf = ({ codes }: Tested): readonly string[] => [...codes].map(([index, code]) => keyOf(index, code));
  const beyond = tested.flatMap((each, place) => {
    const found = differences[place];
    return found && isSignificant[place] === true && found.difference > 0 ? [{ each, found, p: p[place] ?? 1 }] : [];
  });
  // A pair that says no more than one of its values is left out.
  const isHidden = ({ each, found }: (typeof beyond)[number]): boolean =>
    each.codes.size > 1 && keysOf(each).some((key) => found.low <= (highest.get(key) ?? 1));
  const shownValues = new Set(beyond.flatMap(({ each }) => (each.codes.size === 1 ? keysOf(each) : [])));
  const hidden = beyond.filter((one) => isHidden(one) && !keysOf(one.each).some((key) => shownValues.has(key)));
  const causes = beyond
    .filter((one) => !isHidden(one))
    .map(({ each: { codes, one, other }, found, p: ofTest }): Cause => {
      const share = one.found / one.of;
      return {
        values: [...codes].flatMap(([index, code]) => {
          const value = factors[index]?.values[code];
          return value ? [value] : [];
        }),
        entities: one.of,
        withOutcome: one.found,
        share,
        otherShare: other.found / other.of,
        ...found,
        lift: share / (total.found / total.of),
        p: ofTest,
      };
    })
    .toSorted((one, other) => other.difference - one.difference || one.p - other.p);
  return { causes, hiddenPairs: hidden.length };
}

function leftOut(
  all: readonly EntityProperty[],
  {
    defining,
    properties,
    isLate,
    factors,
  }: {
    readonly defining: ReadonlySet<string>;
    readonly properties: readonly EntityProperty[];
    readonly isLate: readonly boolean[];
    readonly factors: readonly Factor[];
  },
): readonly LeftOutProperty[] {
  const late = new Set(properties.filter((_, index) => isLate[index]).map(({ name }) => name));
  const compared = new Set(factors.map(({ property }) => property));
  return all.flatMap(({ name: property }): readonly LeftOutProperty[] => {
    if (defining.has(property.toLowerCase())) return [{ property, reason: 'part of the outcome' }];
    if (late.has(property)) return [{ property, reason: 'known only after the outcome' }];
    return compared.has(property) ? [] : [{ property, reason: 'no value of 20 entities' }];
  });
}
