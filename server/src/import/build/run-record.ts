import type { StepReport } from '../../../../protocol/import-progress.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type StatementsStep, runValue } from './plan-statement.ts';
import { type GraphColumn, graphTables, storeVersion } from '../../graph-schema/graph-schema.ts';

/** The single row of the table `run`: what was imported, when, and by which version. */
export interface RunRecord {
  readonly id: string;
  readonly entity: string;
  readonly config: string;
  /** SHA-256 of `config`, hexadecimal. */
  readonly configHash: string;
  readonly dataSource: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly durationsMs: Readonly<Record<string, number>>;
  readonly counts: unknown;
  readonly warnings: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  /** Duration and rows of each step of the plan. */
  readonly steps: readonly StepReport[];
  readonly slice?: unknown;
}

/** Writes the record of a run; without one, the statement for a plan. */
export function runStep(dialect: BuildDialect, run: RunRecord = unknownRun): StatementsStep {
  const statement = { title: 'With the values known at the end of the run', sql: createRunSql(run, dialect) };
  return { name: 'run', title: 'Recording the run', statements: [statement] };
}

const unknownRun: RunRecord = {
  id: runValue,
  entity: runValue,
  config: runValue,
  configHash: runValue,
  dataSource: runValue,
  started: runValue,
  durationsMs: {},
  counts: {},
  warnings: [],
  versions: {},
  steps: [],
};

function createRunSql(run: RunRecord, { build, literals, graph, times }: BuildDialect): string {
  const text = (value: string): string => literals.quote(value.replaceAll('\0', ''));
  const typed = (value: string): string => `CAST(${text(value)} AS VARCHAR)`;
  const json = (value: unknown): string => build.json(text(JSON.stringify(value)));
  const values: Readonly<Record<GraphColumn<'run'>, string>> = {
    format_version: String(storeVersion),
    id: typed(run.id),
    entity: typed(run.entity),
    data_source: typed(run.dataSource),
    started: times.literal(run.started.replace('Z', '')),
    config: typed(run.config),
    config_hash: typed(run.configHash),
    counts: json(run.counts),
    warnings: json(run.warnings),
    versions: json(run.versions),
    steps: json(run.steps),
    durations_ms: json(run.durationsMs),
    slice: run.slice ? json(run.slice) : build.json('NULL'),
  };
  const selected = (Object.keys(graphTables.run.columns) as GraphColumn<'run'>[]).map(
    (column) => `${values[column]} AS ${column}`,
  );
  return `CREATE TABLE ${graph}.run AS SELECT ${inLines(selected)}`;
}

/** Three per line; a single last one is appended to the previous line. */
function inLines(items: readonly string[]): string {
  const begins = (index: number): boolean => index > 0 && index % 3 === 0 && index < items.length - 1;
  return items.map((item, index) => `${index === 0 ? '' : begins(index) ? ',\n    ' : ', '}${item}`).join('');
}
