import type { DroppedConfiguration } from '../dropped-configuration.ts';
import type { DraftAnswer, DraftOutcome, FurtherSource } from '../first-draft.ts';
import type { Failure, Outcome } from '../query-results.ts';
import type { GraphStatusView } from './graph-requests.ts';
import type { Reported } from './reported.ts';

/** Requests about entity graphs as files: listing, creating, copying, deleting them. */
export interface LifecycleRequests {
  /** All entity graphs in the open folders, by path. */
  'entityGraph/entities': { params: object; result: EntitiesView };
  /** The text of the last successful import. */
  'entityGraph/importedText': { params: { uri: string }; result: Outcome<{ text: string }> };
  /** Copies a graph under another name; never overwrites. */
  'entityGraph/copy': { params: { uri: string; target: string }; result: Outcome<FileResult> };
  /** What `delete` will remove. */
  'entityGraph/previewDelete': { params: { uri: string }; result: Outcome<DeletionView> };
  /**
   * `dropTables` also drops the tables that imports created inside data sources, which may ask for secrets. Cancelled
   * with `$/cancelRequest`.
   */
  'entityGraph/delete': { params: { uri: string; dropTables?: boolean }; result: Outcome<readonly FileResult[]> };
  'entityGraph/exportConfiguration': {
    params: { uri: string; target: string; format: 'json' | 'yaml' };
    result: Outcome<FileResult>;
  };
  /**
   * Imports configurations, with a result for each; overwrites only on request. `files` are URIs of files or folders, of
   * which all configurations are taken; `texts` are configurations without a path.
   */
  'entityGraph/importConfigurations': {
    params: {
      files: readonly string[];
      texts?: readonly DroppedConfiguration[];
      folder: string;
      existing?: ExistingFile;
    };
    result: Outcome<readonly FileResult[]>;
  };
  /**
   * Writes a first graph, or returns a question where several columns are equally good and no answer chooses one.
   */
  'entityGraph/newGraph': {
    /** Default: all data objects of the source. The default graph name is that of the source. */
    params: {
      target: string;
      dataSource: string;
      name?: string;
      objects?: readonly string[];
      furtherSources?: readonly FurtherSource[];
      /** If absent, the first of several candidates is taken without asking. */
      answers?: readonly DraftAnswer[];
    } & Reported;
    result: Outcome<DraftOutcome>;
  };
  /** Writes a complete file to a path chosen by the user. */
  'entityGraph/saveFile': { params: { target: string; base64: string }; result: Outcome<null> };
  /** Writes a graph without elements; the file must not exist. */
  'entityGraph/newEmptyGraph': {
    params: { target: string; name: string; dataSource: string };
    result: Outcome<null>;
  };
}

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

/** What to do when an imported configuration meets an existing file. */
export type ExistingFile = 'refuse' | 'replace' | 'keep-both';
