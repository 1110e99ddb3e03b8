import { basename } from 'node:path';
import type { Failure } from '../../../../protocol/query-results.ts';
import { connectorOfKind } from '../../connectors/create-connector.ts';
import type { GivenData } from '../../connectors/given/given-data.ts';
import { type GivenRowsEngine, isCannotRunError, isGivenRowsError } from '../../connectors/given/given-rows.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import type { Connector } from '../../connectors/connector.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { compareGraph } from '../../graph-tests/compare-graph.ts';
import type { GraphTest } from '../../graph-tests/graph-tests.ts';
import { sourcesOf } from '../../graph-tests/tested-graph.ts';
import type { ImportSource } from '../../import/import-source.ts';
import type { ImportPlan } from '../../import/plan-import.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import type { MemoryStaging } from '../../import/memory-staging.ts';
import { createProgress } from '../../import/progress.ts';
import { importInMemory } from '../../import/import-in-memory.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { GraphFile } from '../../project/open-project.ts';
import { isDuckDbError } from '../../store/duckdb-errors.ts';
import { toImportFailure } from '../imports/import-failure.ts';
import type { OpenedGraph } from './open-tested-graph.ts';
import { askBuiltGraph } from './ask-built-graph.ts';
import { judgeBuiltGraph, readActualGraph, tablesFor } from './read-actual-graph.ts';
import type { TestFailure } from './test-report.ts';
import type { OpenedSource } from './tested-source.ts';

interface GraphTestRun {
  readonly opened: OpenedGraph;
  /** What reads the rows of each data source. */
  readonly readers: readonly [SourceReader, ...SourceReader[]];
  readonly plan: ImportPlan;
  readonly test: GraphTest;
  /** The file of the tests. */
  readonly text: string;
  readonly memory: MemoryStaging;
  readonly signal: AbortSignal;
}

/** Reads given rows in place of a data source. */
export interface SourceReader {
  readonly source: OpenedSource;
  readonly kind: SourceKind;
  readonly engine: GivenRowsEngine;
}

/**
 * Imports the given rows of a test and compares the graph. Resolves to the failed expectations. Rejects when cancelled,
 * or with `CannotRunError`.
 */
export async function runGraphTest(run: GraphTestRun): Promise<readonly TestFailure[]> {
  const { opened, test, text, signal } = run;
  const { timeZone } = opened.project.source;
  const { expect } = test;
  try {
    const named = new Set(expect.rules?.map(({ name }) => name.value));
    const rules = opened.graph.rules.filter(({ name }) => name && named.has(name.value));
    const actual = await importInMemory(
      importJob(run),
      run.memory,
      { tables: tablesFor(expect) },
      async (staging, graph) => ({
        ...(await readActualGraph(staging, graph, expect)),
        rules: await judgeBuiltGraph(staging, graph, rules, signal),
        queries: await askBuiltGraph({ staging, graph, file: opened.project.file }, expect.queries ?? [], signal),
      }),
    );
    return compareGraph(expect, actual, { text, timeZone });
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof QueryFailure ? error.reason : error;
    if (isCannotRunError(cause)) throw cause;
    return [buildFailure(error, run)];
  }
}

type MemoryImport = Parameters<typeof importInMemory>[0];

function importJob({ opened, readers, plan, test, signal }: GraphTestRun): MemoryImport {
  const { project } = opened;
  const catalog = opened.catalogOf(test);
  const [first, ...others] = readers;
  const sourceOf = (reader: SourceReader): ImportSource => {
    const { source, origin } = reader.source;
    const own = catalogOf(catalog, { dataSource: { value: origin.dataSource } }) ?? catalog;
    const objects = test.given.filter(({ name }) => sourcesOf(opened.sources, name.value).includes(reader.source));
    const data: GivenData = {
      catalog: own,
      timeZone: source.timeZone,
      settings: source.settings,
      objects: objects.map(({ name, rows }) => ({
        dataObject: name.value,
        rows: rows.map(({ cells }) => new Map(cells.map(({ column, value }) => [column.value, value]))),
      })),
    };
    return { name: origin.dataSource, connector: givenConnector(reader, data), settings: '', keepsRows: false };
  };
  return {
    plan,
    signal,
    sources: [sourceOf(first), ...others.map(sourceOf)],
    progress: createProgress(() => undefined),
    request: { kind: 'build' as const },
    run: {
      id: 'test',
      entity: 'test',
      config: '',
      configHash: '',
      dataSource: project.source.name.value,
      started: new Date().toISOString(),
      versions: {},
    },
  };
}

/** The connector of a kind whose rows are given. */
function givenConnector({ kind, engine }: SourceReader, data: GivenData): Connector {
  return connectorOfKind(kind, data.catalog.dataSource, {
    timeZone: data.timeZone,
    describe: async () => data.catalog,
    preview: () => Promise.reject(new Error('Given rows have no previews.')),
    steps: async () => [],
    openPull: (staging, options) => engine.openPull(data, staging, options),
    close: async () => undefined,
  });
}

function buildFailure(error: unknown, { test, opened, signal }: GraphTestRun): TestFailure {
  const cause = error instanceof QueryFailure ? error.reason : error;
  if (isGivenRowsError(cause)) {
    const object = test.given.find(({ name }) => name.value === cause.dataObject);
    const reason = isDuckDbError(cause.cause) ? cause.cause.failure.message : cause.message;
    const message = `The rows of ${cause.dataObject} do not fit its columns: ${reason.split('\n')[0] ?? ''}`;
    return { message, range: object?.name.range ?? placeOf(test) };
  }
  return {
    message: graphFailureText(toImportFailure(error, opened.project.file, signal), opened.project.file),
    range: placeOf(test),
  };
}

/** Why a graph cannot be built, with the line in its file. */
export function graphFailureText({ message, remedy, file, range }: Failure, graph: GraphFile): string {
  const place =
    range && (file === undefined || file === graph.path) ? `${basename(graph.path)}:${range.start.line + 1}: ` : '';
  return `The graph cannot be built: ${place}${message}${remedy === undefined ? '' : ` ${remedy}`}`;
}

function placeOf({ name, range }: GraphTest): SourceRange {
  return name?.range ?? range;
}
