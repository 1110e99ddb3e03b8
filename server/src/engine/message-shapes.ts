import {
  type Shape,
  anything,
  count,
  flag,
  list,
  object,
  optional,
  record,
  tagged,
  text,
} from '../../../protocol/shapes/shape.ts';
import { exportForm, question } from '../../../protocol/shapes/event-graph-shapes.ts';
import { importRequest } from '../../../protocol/shapes/import-shapes.ts';
import type { ValueUse } from '../connectors/permit-use.ts';
import type { StoredGraphs } from '../operations/stored-graph.ts';
import type { GraphFile } from '../project/open-project.ts';
import type { DuckDbRequest, DuckDbTask } from './duckdb-messages.ts';
import type { EngineJob, ToEngine } from './engine-messages.ts';
import type { ToGraphProcess } from './graph-messages.ts';

// What the processes beside the language server are told. Both ends are ours: it is not looked deeper than where the other end would stumble.

const graphFile: Shape<GraphFile> = object<GraphFile>({ path: text, text });

export const toEngine: Shape<ToEngine> = tagged<ToEngine, 'kind'>('kind', {
  import: {
    job: object<EngineJob>({
      file: graphFile,
      openTexts: record(text),
      workspaceFolder: optional(text),
      network: optional(anything as Shape<NonNullable<EngineJob['network']>>),
      request: importRequest,
    }),
  },
  cancel: {},
  answer: { request: count, value: optional(text), refused: optional(list(anything as Shape<ValueUse>)) },
});

export const toGraphProcess: Shape<ToGraphProcess> = tagged<ToGraphProcess, 'kind'>('kind', {
  ask: { id: count, store: text, question, params: anything },
  export: { id: count, store: text, file: graphFile, form: exportForm, output: text, guardFormulas: flag },
  diff: { id: count, stores: object<StoredGraphs>({ store: text, previous: optional(text) }), file: graphFile },
  cancel: { id: count },
});

export const duckDbRequest: Shape<DuckDbRequest> = object<DuckDbRequest>({
  id: count,
  task: tagged<DuckDbTask, 'kind'>('kind', {
    sql: { question: record(anything) as Shape<never> },
    catalog: { sourcesFile: graphFile, dataSource: text },
  }),
});
