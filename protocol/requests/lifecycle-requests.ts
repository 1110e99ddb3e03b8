import type { DataObjectsView } from '../canvas-intents.ts';
import type { DraftAnswer, DraftOutcome, FileGraphView } from '../first-draft.ts';
import type { Failure } from '../query-results.ts';
import { draftAnswer, furtherSource } from '../shapes/draft-shapes.ts';
import { reported, request } from '../shapes/request-shape.ts';
import { type Checked, choice, flag, list, object, optional, text } from '../shapes/shape.ts';
import type { GraphStatusView } from './graph-requests.ts';

/** Text of a configuration that was dropped without a path. */
export const droppedConfiguration = object({ name: text, text });
export type DroppedConfiguration = Checked<typeof droppedConfiguration>;

/** What to do when an imported configuration meets an existing file. */
const existingFile = choice({ refuse: true, replace: true, 'keep-both': true });

/** Requests about entity graphs as files: listing, creating, copying, deleting them. */
export const lifecycleRequests = {
  /** All entity graphs in the open folders, by path. */
  'entityGraph/entities': request({}).gives<EntitiesView>(),
  /** The text of the last successful import. */
  'entityGraph/importedText': request({ uri: text }).outcome<{ text: string }>(),
  /** Copies a graph under another name; never overwrites. */
  'entityGraph/copy': request({ uri: text, target: text }).outcome<FileResult>(),
  /** What `delete` will remove. */
  'entityGraph/previewDelete': request({ uri: text }).outcome<DeletionView>(),
  /**
   * `dropTables` also drops the tables that imports created inside data sources, which may ask for secrets. Cancelled
   * with `$/cancelRequest`.
   */
  'entityGraph/delete': request({ uri: text, dropTables: optional(flag) }).outcome<readonly FileResult[]>(),
  'entityGraph/exportConfiguration': request({
    uri: text,
    target: text,
    format: choice({ json: true, yaml: true }),
  }).outcome<FileResult>(),
  /**
   * Imports configurations, with a result for each; overwrites only on request. `files` are URIs of files or folders, of
   * which all configurations are taken; `texts` are configurations without a path.
   */
  'entityGraph/importConfigurations': request({
    files: list(text),
    texts: optional(list(droppedConfiguration)),
    folder: text,
    existing: optional(existingFile),
  }).outcome<readonly FileResult[]>(),
  /** The data objects of a source of the file. Reads the source when they are unknown, which may ask for secrets. */
  'entityGraph/objectsFor': reported({ uri: text, dataSource: text }).outcome<DataObjectsView>(),
  /** Writes a first graph, or returns a question where several columns are equally good and no answer chooses one. */
  'entityGraph/newGraph': reported({
    target: text,
    dataSource: text,
    /** Default: the name of the source. */
    name: optional(text),
    /** Default: all data objects of the source. */
    objects: optional(list(text)),
    furtherSources: optional(list(furtherSource)),
    /** If absent, the first of several candidates is taken without asking. */
    answers: optional(list(draftAnswer)),
  }).outcome<DraftOutcome>(),
  /**
   * Drafts a graph of one data file, which the client writes, or returns the graphs of the file that exist. `graph` is
   * the one that is drafted again with other answers; `named` asks for a new one of this name, also beside others.
   */
  'entityGraph/graphOfFile': reported({
    file: text,
    answers: list(draftAnswer),
    graph: optional(text),
    named: optional(object({ name: text, fileName: text })),
  }).outcome<FileGraphView>(),
  /** The answers of a draft that an edited text still has. */
  'entityGraph/answersInText': request({ text, answers: list(draftAnswer) }).gives<readonly DraftAnswer[]>(),
  /** Writes a complete file to a path chosen by the user. */
  'entityGraph/saveFile': request({ target: text, base64: text }).outcome<null>(),
  /** Writes a graph without elements; the file must not exist. */
  'entityGraph/newEmptyGraph': request({ target: text, name: text, dataSource: text }).outcome<null>(),
};

/** An entity graph in a list. */
export interface EntityView extends GraphStatusView {
  readonly uri: string;
  readonly name: string;
  readonly dataSource: string | null;
  /** All data sources that the graph names; that of the file comes first. */
  readonly dataSources: readonly string[];
  /** URI of its sources file. */
  readonly sourcesUri: string | null;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly modified: string;
  readonly lastImport?: LastImportView;
}

/** Facts of the last import of a graph. */
export interface LastImportView {
  readonly events: number;
  /** Absent without process rules, and for a part of the graph. */
  readonly rules?: { readonly kept: number; readonly all: number };
  readonly durationMs?: number;
  /** Size of the graph store; absent inside a data source. */
  readonly bytes?: number;
}

export interface EntitiesView {
  readonly entities: readonly EntityView[];
  /** Unreadable files and folders; their graphs are missing in `entities`. */
  readonly unreadable: readonly UnreadableView[];
}

/** A file or folder that could not be read, or only partly. */
export interface UnreadableView {
  readonly uri: string;
  readonly error: Failure;
}

/** What deleting an entity graph will remove. */
export interface DeletionView {
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** Schemas that imports created inside data sources; dropped on request only. */
  readonly inSources: readonly { readonly dataSource: string; readonly schema: string }[];
}

/** Result for one file. */
export interface FileResult {
  readonly file: string;
  readonly action: 'reset' | 'unchanged' | 'created' | 'deleted' | 'exported' | 'imported' | 'refused';
  readonly message?: string;
  /** The existing file, when that is the reason. */
  readonly existing?: string;
}

export type ExistingFile = Checked<typeof existingFile>;
