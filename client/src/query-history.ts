import type { CancellationToken, Uri } from 'vscode';
import type { Outcome, QueryTarget, TestQueryResult } from '../../protocol/query-results.ts';
import type { OpenedNumbers, RunView } from '../../protocol/webview-messages.ts';

/** A query to run. */
export interface Query {
  readonly title: string;
  /** Origin of the rows, such as the data source's name. */
  readonly source: string;
  /** The entity graph; error positions without a file refer to it. */
  readonly uri: Uri;
  /** The query of the graph whose rows these are, if a test can be made of them. */
  readonly target?: QueryTarget | undefined;
  /** A line about a table that is no query result. */
  readonly facts?: string;
  /** Numbers of that table that open their rows. */
  readonly numbers?: NumbersOfTable;
  /** The imported graph whose entities the column `entity_id` has, if it has one. */
  readonly graph?: Uri | undefined;
  /** Runs it, and reports its steps. */
  execute(hands: RunningQuery): Promise<Outcome<TestQueryResult>>;
}

export interface NumbersOfTable extends OpenedNumbers {
  /** Opens the rows behind the number of a row. */
  open(row: number): void;
}

export interface RunningQuery {
  readonly token: CancellationToken;
  report(step: string): void;
}

/** A query that was run, with its result once available. */
export interface QueryRun {
  readonly id: number;
  readonly query: Query;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The current step of a running query. */
  readonly step?: string;
  readonly outcome?: Outcome<TestQueryResult>;
}

/** The queries of the session with their results, newest first, up to a limit. */
export interface QueryHistory {
  begin(query: Query): QueryRun;
  /** Notes the step of a running query. */
  reach(id: number, step: string): QueryRun;
  end(id: number, outcome: Outcome<TestQueryResult>): QueryRun;
  find(id: number): QueryRun | undefined;
  views(): readonly RunView[];
}

/** Maximum number of queries, and of cells in all results together. */
const maxRuns = 20;
const maxCells = 2_000_000;

export function createQueryHistory(now: () => Date = () => new Date()): QueryHistory {
  let runs: readonly QueryRun[] = [];
  let last = 0;

  function become(id: number, news: Partial<QueryRun>): QueryRun {
    const run = runs.find((each) => each.id === id);
    if (!run) throw new Error(`There is no query ${id}.`);
    const now = { ...run, ...news };
    runs = kept(runs.map((each) => (each === run ? now : each)));
    return now;
  }

  return {
    begin(query) {
      last += 1;
      const run = { id: last, query, at: now().toISOString() };
      runs = kept([run, ...runs]);
      return run;
    },
    reach: (id, step) => become(id, { step }),
    end: (id, outcome) => become(id, { outcome }),
    find: (id) => runs.find((run) => run.id === id),
    views: () => runs.map(viewOf),
  };
}

/** The newest one stays regardless of its size, and running ones stay. */
function kept(runs: readonly QueryRun[]): readonly QueryRun[] {
  let cells = 0;
  return runs.filter((run, index) => {
    cells += cellsOf(run);
    return index === 0 || !run.outcome || (index < maxRuns && cells <= maxCells);
  });
}

function cellsOf({ outcome }: QueryRun): number {
  return outcome?.ok ? outcome.value.rows.length * outcome.value.columns.length : 0;
}

function viewOf({ id, query: { title }, at, outcome }: QueryRun): RunView {
  if (!outcome) return { id, title, at, state: 'running' };
  if (outcome.ok) return { id, title, at, state: 'done', rows: outcome.value.rows.length };
  return { id, title, at, state: outcome.error.code === 'cancelled' ? 'cancelled' : 'failed' };
}
