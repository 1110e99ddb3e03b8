import {
  type Checked,
  type Shape,
  anything,
  count,
  flag,
  object,
  optional,
  text,
} from '../../../protocol/shapes/shape.ts';
import type { ChangedMap, ExportFormatName, ExportedGraph } from '../../../protocol/event-graph.ts';
import type { GraphDiff } from '../../../protocol/graph-diff.ts';
import type { MapWords } from '../../../protocol/map-words.ts';
import type { Outcome, TestQueryResult } from '../../../protocol/query-results.ts';
import { type EventGraphQuestion, question } from '../../../protocol/requests/event-graph-requests.ts';
import { changeFields, exportFormatName, mapWords } from '../../../protocol/shapes/event-graph-shapes.ts';
import type { StoredGraphs } from '../operations/stored-graphs/stored-graph.ts';
import type { GraphFile } from '../project/open-project.ts';
import { graphFile } from './graph-file-shape.ts';
import type { ParamShapes } from './rpc/rpc-messages.ts';

/** Methods of the graph query process. */
export interface GraphMethods {
  /** The type of the result depends on the question. */
  readonly ask: { readonly params: GraphQuestion; readonly result: Outcome<unknown> };
  /** Returns the paths of the written files. */
  readonly export: { readonly params: GraphExport; readonly result: Outcome<ExportedGraph> };
  readonly changedMap: { readonly params: MapComparison; readonly result: Outcome<ChangedMap> };
  readonly diff: { readonly params: GraphComparison; readonly result: Outcome<GraphDiff> };
  readonly changedRows: { readonly params: ChangedRowsQuery; readonly result: Outcome<TestQueryResult> };
}

interface GraphQuestion {
  /** Absolute path. */
  readonly store: string;
  readonly question: EventGraphQuestion;
  readonly params: unknown;
}

export interface GraphExport {
  /** Absolute path. */
  readonly store: string;
  readonly file: GraphFile;
  readonly form: ExportFormatName;
  /** Absolute path of a file or a folder, depending on the format. */
  readonly output: string;
  readonly guardFormulas: boolean;
  /** The entity type of the cases of an event log. */
  readonly entityType?: string | undefined;
}

interface MapComparison {
  readonly stores: StoredGraphs;
  readonly entityType: string;
  readonly words: MapWords;
}

interface GraphComparison {
  readonly stores: StoredGraphs;
  readonly file: GraphFile;
}

const rowsOfChange = object({ ...changeFields, limit: count });

interface ChangedRowsQuery extends GraphComparison {
  readonly of: Checked<typeof rowsOfChange>;
}

const storedGraphs: Shape<StoredGraphs> = object<StoredGraphs>({ store: text, previous: optional(text) });

export const graphShapes: ParamShapes<GraphMethods> = {
  ask: object<GraphQuestion>({ store: text, question, params: anything }),
  export: object<GraphExport>({
    store: text,
    file: graphFile,
    form: exportFormatName,
    output: text,
    guardFormulas: flag,
    entityType: optional(text),
  }),
  changedMap: object<MapComparison>({ stores: storedGraphs, entityType: text, words: mapWords }),
  diff: object<GraphComparison>({ stores: storedGraphs, file: graphFile }),
  changedRows: object<ChangedRowsQuery>({ stores: storedGraphs, file: graphFile, of: rowsOfChange }),
};
