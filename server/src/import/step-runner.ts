import type { StepReport } from '../../../protocol/import-progress.ts';
import type { BuildStep } from './build/compile-build.ts';
import type { StatementsStep } from './build/plan-statement.ts';

/** The database interface needed by steps. */
export interface QueriedDatabase {
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The building database: DuckDB, or a session of the source. */
interface BuildSession extends QueriedDatabase {
  /** Resolves to the number of affected rows, if available. */
  run(sql: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<number | undefined>;
  /** Runs several statements in one call, if supported. */
  runAll?(statements: readonly string[], options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

/** Runs the steps of a plan in a database, and records their results. */
export interface StepRunner {
  /** Results of the steps so far, in order. */
  readonly reports: readonly StepReport[];
  /** Runs the statement of a step that creates a table or a view. Rejects with the database's error. */
  create(step: BuildStep): Promise<void>;
  /**
   * Runs all of these steps, in one call if the database supports it. Stops at the first error, and rejects like
   * `create`.
   */
  createAll(steps: readonly BuildStep[]): Promise<void>;
  /** Runs statements without results. Rejects with the database's error. */
  run(step: StatementsStep): Promise<void>;
  /** The rows of each statement of a step, in order. Rejects with the database's error. */
  ask(step: StatementsStep): Promise<readonly (readonly Readonly<Record<string, unknown>>[])[]>;
  /** Records a step whose statements run elsewhere, such as in a connector. */
  timed<T>(
    name: string,
    work: () => Promise<T>,
    found?: (result: T) => Omit<StepReport, 'name' | 'durationMs'>,
  ): Promise<T>;
}

/** @param before setup statements of the session. */
export function createStepRunner(
  session: BuildSession,
  signal: AbortSignal,
  before: readonly StepReport[] = [],
): StepRunner {
  const reports: StepReport[] = [...before];
  const timed: StepRunner['timed'] = async (name, work, found) => {
    const started = performance.now();
    const result = await work();
    reports.push({ name, durationMs: Math.round(performance.now() - started), ...found?.(result) });
    return result;
  };
  const create: StepRunner['create'] = async ({ name, sql, table, partOf, count }) => {
    const made = async (): Promise<number | undefined> => {
      const rows = await session.run(sql, { signal });
      if (count === undefined) return table === undefined && partOf === undefined ? undefined : rows;
      const [counted] = await session.query(count, { signal });
      return Number(counted?.['rows']);
    };
    const isPart = partOf !== undefined;
    const rows = await timed(name, made, (found) => (found === undefined || isPart ? {} : { rows: found }));
    if (isPart) addRows(partOf, rows ?? 0);
  };
  const addRows = (name: string, more: number): void => {
    const place = reports.findIndex((report) => report.name === name);
    const report = reports[place];
    if (report?.rows !== undefined) reports[place] = { ...report, rows: report.rows + more };
  };
  return {
    reports,
    timed,
    create,
    async createAll(steps) {
      const statements = steps.map(({ sql }) => sql);
      if (session.runAll) await session.runAll(statements, { signal });
      else for (const step of steps) await create(step);
    },
    run: ({ name, statements }) =>
      timed(name, async () => {
        for (const { sql } of statements) await session.run(sql, { signal });
      }),
    ask: ({ name, statements }) =>
      timed(name, async () => {
        const answers = [];
        for (const { sql } of statements) answers.push(await session.query(sql, { signal }));
        return answers;
      }),
  };
}
