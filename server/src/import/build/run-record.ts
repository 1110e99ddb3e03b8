import type { StepReport } from '../../../../protocol/import-progress.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type StatementsStep, runValue } from './plan-statement.ts';

/** Format of the store; changes with the tables and columns that it has. */
export const storeFormatVersion = 1;

/** The one row of the table `run`: what was imported, when and by what. */
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
  /** Time and rows of each step of the plan. */
  readonly steps: readonly StepReport[];
  readonly slice?: unknown;
}

/** The columns of the table `run`, with the types that the embedded engine gives them. */
export const runColumns: readonly (readonly [name: string, type: string])[] = [
  ['format_version', 'INTEGER'],
  ['id', 'VARCHAR'],
  ['entity', 'VARCHAR'],
  ['data_source', 'VARCHAR'],
  ['started', 'TIMESTAMP'],
  ['config', 'VARCHAR'],
  ['config_hash', 'VARCHAR'],
  ['counts', 'JSON'],
  ['warnings', 'JSON'],
  ['versions', 'JSON'],
  ['steps', 'JSON'],
  ['durations_ms', 'JSON'],
  ['slice', 'JSON'],
];

/** Writes the record of a run; without one, as a plan shows it. */
export function runStep(dialect: BuildDialect, run: RunRecord = unknownRun): StatementsStep {
  const statement = { title: 'With what is known at the end of the run', sql: createRunSql(run, dialect) };
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

function createRunSql(run: RunRecord, { literals, graph }: BuildDialect): string {
  const text = (value: string): string => literals.quote(value.replaceAll('\0', ''));
  const typed = (value: string): string => `CAST(${text(value)} AS VARCHAR)`;
  const json = (value: unknown): string => `CAST(${text(JSON.stringify(value))} AS JSON)`;
  return `CREATE TABLE ${graph}.run AS SELECT ${storeFormatVersion} AS format_version, ${typed(run.id)} AS id, ${typed(run.entity)} AS entity,
    ${typed(run.dataSource)} AS data_source, TIMESTAMP ${text(run.started.replace('Z', ''))} AS started, ${typed(run.config)} AS config,
    ${typed(run.configHash)} AS config_hash, ${json(run.counts)} AS counts, ${json(run.warnings)} AS warnings,
    ${json(run.versions)} AS versions, ${json(run.steps)} AS steps, ${json(run.durationsMs)} AS durations_ms, ${run.slice ? json(run.slice) : 'CAST(NULL AS JSON)'} AS slice`;
}
