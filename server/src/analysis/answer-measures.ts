import type { ComparedNumbers, MeasureAnswer, MeasureGroup, MeasureNumbers } from '../../../protocol/analysis.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import { isTimeMeasure, measuredSql as valuesOfMeasureSql } from '../measure-kinds/measure-sql.ts';
import type { Measure } from '../model/measure.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import { judgedStore } from '../process-rules/judged-store.ts';
import { reasonOf } from '../process-rules/judge-rules.ts';
import { measurable, measureName } from '../process-rules/measure-graph.ts';
import { graphJudged } from '../process-rules/read-rule.ts';
import { momentSql } from '../rule-kinds/judged-things.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type Dimensions, dimensionsOf, namedDimensions } from './dimensions.ts';
import { type EntityMeasure, defaultMeasures, entityMeasures, measuredSql } from './entity-measures.ts';
import { type ReadTypeFilter, entityCondition } from './filter-entities.ts';
import { QuestionError } from './question-error.ts';
import { refuseUnknownNames } from './refuse-unknown-names.ts';
import { numberOf, textOf } from './read-cells.ts';
import { meanDifference } from './mean-difference.ts';

interface MeasuresQuestion {
  readonly filter: ReadTypeFilter;
  /** Names; default: those of every entity. */
  readonly measures?: readonly string[] | undefined;
  readonly by?: readonly string[] | undefined;
  /** Other entities of the type, measured for comparison. */
  readonly compare?: ReadTypeFilter | undefined;
  /** The text with the measures of the file; default: the imported one. */
  readonly text?: string | undefined;
  /** A SELECT of the variants of the type, where it is known. */
  readonly variants?: string | undefined;
}

/** Measures the entities of a filter by groups. Rejects with `QuestionError`, or as the store does. */
export async function answerMeasures(
  store: StoreReader,
  { filter, measures = Object.keys(defaultMeasures), by = [], compare, text, variants }: MeasuresQuestion,
  options: StatementOptions,
): Promise<readonly MeasureAnswer[]> {
  const graph = await judgedGraphTables(store, options);
  await refuseUnknownNames(namedDimensions(by, graph), filter.entityType, graph, store, options);
  const isBuiltIn = (name: string): boolean => Object.hasOwn(entityMeasures, name);
  const written = measures.every(isBuiltIn) ? [] : (await graphJudged(store, text, options)).measures;
  const named = measures.map((name) => measureNamed(name, { written, entityType: filter.entityType, graph }));
  const answers = new Map<NamedMeasure, MeasureAnswer>();
  // Those of every entity are found together.
  const together = named.filter(({ rows }) => rows === undefined);
  const alone = named.filter(({ rows }) => rows !== undefined).map((measure) => [measure]);
  for (const group of together.length === 0 ? alone : [together, ...alone]) {
    const read = (of: ReadTypeFilter): Promise<readonly Row[]> =>
      readGroups(store, groupsSql(group, of, dimensionsOf(by, of.entityType, graph, variants), graph), group, {
        filter: of,
        graph,
        options,
      });
    const groups = pairedGroups(await read(filter), compare && (await read(compare)), by);
    for (const [index, measure] of group.entries()) {
      answers.set(measure, {
        name: measure.name,
        unit: measure.unit,
        entityType: filter.entityType,
        groups: groups.map(({ values, row, other }): MeasureGroup => ({
          by: Object.fromEntries(by.map((dimension, place) => [dimension, values[place] ?? null])),
          ...numbersOf(row, index),
          ...(compare && { compare: comparedNumbers(row, other, index) }),
        })),
      });
    }
  }
  return named.flatMap((measure) => answers.get(measure) ?? []);
}

/** A mistake in the SQL of a written measure is told with its name. */
async function readGroups(
  store: StoreReader,
  sql: string,
  [measure]: readonly NamedMeasure[],
  {
    filter,
    graph,
    options,
  }: { readonly filter: ReadTypeFilter; readonly graph: JudgedGraphTables; readonly options: StatementOptions },
): Promise<readonly Row[]> {
  try {
    return await store.query(sql, options);
  } catch (error) {
    const mistake = measure?.rows === undefined ? undefined : judgedStore(store).mistakeOf(error);
    // One in the SQL of a condition is not of the measure.
    if (mistake) await countSubjects(store, filter, options);
    throw mistake ? new QuestionError(`${measure?.name ?? ''}: ${reasonOf(mistake, graph)}`) : error;
  }
}

/** Groups with their values of the dimensions. */
interface PairedGroup {
  readonly values: readonly (string | null)[];
  readonly row: Row;
  readonly other: Row;
}

/** The groups of both sides: those that only the compared entities have come last. */
function pairedGroups(
  rows: readonly Row[],
  compared: readonly Row[] = [],
  by: readonly string[],
): readonly PairedGroup[] {
  const groups = new Map<string, PairedGroup>();
  const valuesOf = (row: Row): PairedGroup['values'] => by.map((_, index) => textOf(row[`by_${index}`]));
  for (const row of rows) groups.set(JSON.stringify(valuesOf(row)), { values: valuesOf(row), row, other: {} });
  for (const other of compared) {
    const values = valuesOf(other);
    const key = JSON.stringify(values);
    groups.set(key, { values, row: groups.get(key)?.row ?? {}, other });
  }
  return [...groups.values()];
}

type Row = Readonly<Record<string, unknown>>;

/** A measure of every entity, or of the file. */
export interface NamedMeasure extends EntityMeasure {
  /** SQL of the values of a measure of the file: `entity_id`, `value`. */
  readonly rows?: string;
}

/** Throws `QuestionError` for an unknown one. */
export function builtInMeasure(name: string): EntityMeasure {
  const known = Object.hasOwn(entityMeasures, name) ? entityMeasures[name] : undefined;
  if (known) return { name, ...known };
  throw unknownMeasure(name, []);
}

/**
 * A measure of an entity type by its name: one of every entity, or of the file. Rejects with `QuestionError` if there is
 * none.
 */
export async function findMeasure(
  name: string,
  entityType: string,
  { store, graph, text }: { store: StoreReader; graph: JudgedGraphTables; text?: string | undefined },
  options: StatementOptions,
): Promise<NamedMeasure> {
  const written = Object.hasOwn(entityMeasures, name) ? [] : (await graphJudged(store, text, options)).measures;
  return measureNamed(name, { written, entityType, graph });
}

/** Joins the values of a measure of the file, as `w`, to its entities, `s`; an event each, if it measures events. */
export function writtenValuesJoin({ rows }: NamedMeasure): string {
  return rows === undefined ? '' : `JOIN (\n${rows}\n) AS w ON w.entity_id = s.judged`;
}

function unknownMeasure(name: string, written: readonly Measure[]): QuestionError {
  const names = [...written.map(measureName), ...Object.keys(entityMeasures)];
  return new QuestionError(`There is no measure "${name}".`, didYouMean(nearestNames(name, names)));
}

interface KnownMeasures {
  readonly written: readonly Measure[];
  readonly entityType: string;
  readonly graph: JudgedGraphTables;
}

function measureNamed(name: string, { written, entityType, graph }: KnownMeasures): NamedMeasure {
  if (Object.hasOwn(entityMeasures, name)) return builtInMeasure(name);
  const found = written.find((measure) => measureName(measure) === name);
  if (!found) throw unknownMeasure(name, written);
  const measure = measurable(found, graph);
  if (typeof measure === 'string') throw new QuestionError(`${name}: ${measure}`);
  const type = measure.each.entityType?.value;
  if (type !== undefined && type !== entityType)
    throw new QuestionError(
      `The measure "${name}" is of ${type}, not of ${entityType}.`,
      `Choose --entity-type ${type}.`,
    );
  const unit = isTimeMeasure(measure) ? 'ms' : 'value';
  return { name, unit, sql: 'w.value', countsActivities: false, rows: valuesOfMeasureSql(measure, graph) };
}

/** One statement for all measures: each group is a row with the numbers of every measure. */
function groupsSql(
  measures: readonly NamedMeasure[],
  filter: ReadTypeFilter,
  dimensions: Dimensions,
  graph: JudgedGraphTables,
): string {
  const values = [
    ...dimensions.columns.map((sql, index) => `${sql} AS by_${index}`),
    ...measures.map(({ sql }, index) => `${sql} AS value_${index}`),
  ];
  const numbers = measures.map(
    (_, index) => `count(value_${index}) AS count_${index}, avg(value_${index}) AS mean_${index},
    stddev_samp(value_${index}) AS deviation_${index}, quantile_cont(CAST(value_${index} AS DOUBLE), [0.5, 0.9]) AS quantiles_${index}`,
  );
  const names = dimensions.columns.map((_, index) => `by_${index}`);
  const needs = {
    hasCorrelations: graph.hasCorrelations,
    countsActivities: measures.some(({ countsActivities }) => countsActivities),
  };
  const rows = measures.map(writtenValuesJoin);
  return `WITH moment AS (${momentSql(graph)}), subject AS MATERIALIZED (${subjectSql(filter)}), measured AS (
  ${measuredSql(needs)}
), valued AS (
  SELECT ${[...values, 's.judged'].join(', ')} FROM subject AS s ${rows.join('')} LEFT JOIN measured AS m ON m.judged = s.judged ${dimensions.joins.join('\n')}
)
SELECT ${[...names, 'count(*) AS entities', ...numbers].join(', ')} FROM valued
${names.length === 0 ? '' : `GROUP BY ${names.join(', ')} ORDER BY entities DESC, ${names.join(', ')}`}`;
}

/** A SELECT of the ids of the entities of a filter, as `judged`. */
export function subjectSql(filter: ReadTypeFilter): string {
  const { entityType, ...others } = filter;
  const condition = entityCondition(others, 'e.id');
  return `SELECT e.id AS judged FROM entity AS e WHERE e.entity_type = ${duckdb.literals.quote(entityType)}${condition === undefined ? '' : ` AND ${condition}`}`;
}

/** Of the columns of `groupsSql`. */
export function numbersOf(row: Row, measure: number): MeasureNumbers {
  const [entities, count] = [Number(row['entities'] ?? 0), Number(row[`count_${measure}`] ?? 0)];
  const [median, p90] = quantilesOf(row[`quantiles_${measure}`]);
  return { count, missing: entities - count, mean: rounded(row[`mean_${measure}`]), median, p90 };
}

function comparedNumbers(row: Row, other: Row, measure: number): ComparedNumbers {
  const sample = (of: Row) => ({
    ...numbersOf(of, measure),
    deviation: numberOf(of[`deviation_${measure}`]),
  });
  return { ...numbersOf(other, measure), difference: meanDifference(sample(row), sample(other)) };
}

function quantilesOf(list: unknown): readonly [median: number | null, p90: number | null] {
  const [median = null, p90 = null] = JSON.parse(String(list ?? '[]')) as readonly (number | null)[];
  return [rounded(median), rounded(p90)];
}

/** To 14 significant digits, as in the table `measure`: sums of doubles depend on their order. */
function rounded(value: unknown): number | null {
  const number = numberOf(value);
  return number === null ? null : Number(number.toPrecision(14));
}

/** How many entities a filter keeps. */
export async function countSubjects(
  store: StoreReader,
  filter: ReadTypeFilter,
  options: StatementOptions,
): Promise<number> {
  const [row] = await store.query(`SELECT count(*) AS entities FROM (${subjectSql(filter)}) AS subject`, options);
  return Number(row?.['entities'] ?? 0);
}
