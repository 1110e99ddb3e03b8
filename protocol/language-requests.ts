import type { DroppedConfiguration } from './dropped-configuration.ts';
import type { ApiExchange, ApiList, ApiRequest, ApiText, ApiView } from './api-explorer.ts';
import type {
  CanvasIntent,
  CanvasLayout,
  ColumnScopeValues,
  ColumnView,
  DataObjectsView,
  IntentCheck,
  IntentEdits,
  JoinSuggestion,
  OtherSourceView,
} from './canvas-intents.ts';
import type { CatalogChange } from './catalog-state.ts';
import type { EventGraphQuestion, ExportFormatName } from './event-graph.ts';
import type { TestFileView, TestRunView } from './graph-tests.ts';
import type { NewTest, TestRows, WantedRows, WrittenTest } from './test-rows.ts';
import type { GraphView, ProblemFix } from './graph-view.ts';
import type { GraphDiff } from './graph-diff.ts';
import type { ImportPlanView } from './import-plan.ts';
import type { DraftAnswer, DraftOutcome } from './first-draft.ts';
import type { ImportOutcome, ImportProgress } from './import-progress.ts';
import type { ImportRequest, ImportSlice } from './import-request.ts';
import type { KeptRowsView } from './kept-rows.ts';
import type { SourceReport } from './source-checks.ts';
import type { SourceAbility, SourceKindView } from './source-kinds.ts';
import type { ActionPreview, ActionResult, PlatformAction } from './platform-actions.ts';
import type {
  Failure,
  JoinCounts,
  JoinPreview,
  Outcome,
  QueryTarget,
  ShowQueryResult,
  TestQueryResult,
  TextRange,
} from './query-results.ts';

/** Parameters of requests that can take long: with a token, each step arrives as `entityGraph/requestProgress`. */
export interface Reported {
  readonly progressToken?: string;
}

/** Requests beyond LSP, client → server: method → params and result. */
export interface LanguageRequests {
  /** With `follow`, each `graphChanged` of an open graph carries its view from now on, until `unfollowGraph`. */
  'entityGraph/graphView': { params: { uri: string; follow?: boolean }; result: GraphView | null };
  /** Elements and relationships of a file, for pickers. */
  'entityGraph/queryTargets': { params: { uri: string }; result: readonly QueryTargetView[] };
  /** With a draft, the query after applying the intent. */
  'entityGraph/showQuery': {
    params: { uri: string; target: QueryTarget; draft?: CanvasIntent } & Reported;
    result: Outcome<ShowQueryResult>;
  };
  /** Cancelled with `$/cancelRequest`, which also cancels the statement on the source's server. */
  'entityGraph/testQuery': {
    params: { uri: string; target: QueryTarget; limit?: number; draft?: CanvasIntent } & Reported;
    result: Outcome<TestQueryResult>;
  };
  /** The first rows that a relationship joins. Cancelled with `$/cancelRequest`. */
  'entityGraph/previewJoin': {
    params: { uri: string; name: string; limit?: number; draft?: CanvasIntent } & Reported;
    result: Outcome<JoinPreview>;
  };
  /** How the rows of its ends match; null where they are not counted. Cancelled with `$/cancelRequest`. */
  'entityGraph/countJoin': {
    params: { uri: string; name: string; draft?: CanvasIntent } & Reported;
    result: Outcome<JoinCounts | null>;
  };
  /** Differences between the last two imports. */
  'entityGraph/graphDiff': { params: { uri: string }; result: Outcome<GraphDiff> };
  /**
   * Exports the graph to `output`, the URI of a file or a folder depending on the format; resolves to paths.
   * `guardFormulas` prefixes an apostrophe to CSV texts that spreadsheets would evaluate. Formats with cases take `entityType` for them.
   */
  'entityGraph/exportGraph': {
    params: { uri: string; form: ExportFormatName; output: string; guardFormulas?: boolean; entityType?: string };
    result: Outcome<readonly string[]>;
  };
  /** Every statement of an import of the file. */
  /** With `prompt: false`, missing secrets and consent are a failure instead of a question. */
  'entityGraph/importPlan': { params: { uri: string; prompt?: boolean } & Reported; result: Outcome<ImportPlanView> };
  /**
   * Runs in a child process; progress arrives as `entityGraph/importProgress`. Cancelled with `$/cancelRequest`.
   * Without `request` the whole graph is built.
   */
  'entityGraph/import': { params: { uri: string; request?: ImportRequest }; result: ImportOutcome };
  /** Reads the catalog of the file's data source again. */
  'entityGraph/refreshCatalog': { params: { uri: string } & Reported; result: Outcome<{ objects: number }> };
  /** Text edits for an intent of the canvas, for the document version of the server. */
  'entityGraph/edit': { params: { uri: string; intent: CanvasIntent }; result: Outcome<IntentEdits> };
  /** Validates the result of an intent without changing anything. */
  'entityGraph/checkIntent': { params: { uri: string; intent: CanvasIntent }; result: Outcome<IntentCheck> };
  /**
   * The data objects of the graph's source, when its catalog has been read or has failed. `refresh` reads the source
   * again, which may ask for secrets.
   */
  'entityGraph/dataObjects': {
    params: { uri: string; refresh?: boolean | undefined };
    result: Outcome<DataObjectsView>;
  };
  /** The other data sources of the sources file; `read` names one to read, which may ask for its secrets. */
  'entityGraph/otherSources': {
    params: { uri: string; read?: string | undefined };
    result: Outcome<readonly OtherSourceView[]>;
  };
  /** Stops reading the catalog of a source of the graph, by default the main one; its readers get the failure `cancelled`. */
  'entityGraph/stopReading': { params: { uri: string; dataSource?: string | undefined }; result: null };
  /** The columns that an element with these values may use: those of its data object, then those of joined tables. */
  'entityGraph/columns': {
    params: { uri: string; values: ColumnScopeValues };
    result: readonly ColumnView[];
  };
  /** Suggested joins of two elements (graph view ids), the most likely first. */
  'entityGraph/suggestJoins': {
    params: { uri: string; source: string; target: string };
    result: readonly JoinSuggestion[];
  };
  /** The quick fixes of a problem of the view, the most likely first. */
  'entityGraph/problemFixes': {
    params: { uri: string; range: TextRange; message: string };
    result: readonly ProblemFix[];
  };
  /** The edits of a quick fix. */
  'entityGraph/fixProblem': {
    params: { uri: string; range: TextRange; message: string; title: string };
    result: Outcome<IntentEdits>;
  };
  'entityGraph/layout': { params: { uri: string }; result: CanvasLayout };
  /** Stores positions in the state of the graph; an empty layout deletes them. */
  'entityGraph/saveLayout': { params: { uri: string; layout: CanvasLayout }; result: Outcome<null> };
  /** All entity graphs in the open folders, by path. */
  'entityGraph/entities': { params: object; result: EntitiesView };
  /** The text of the last successful import. */
  'entityGraph/importedText': { params: { uri: string }; result: Outcome<{ text: string }> };
  /** Copies a graph under another name; never overwrites. */
  'entityGraph/copy': { params: { uri: string; target: string }; result: Outcome<FileResult> };
  /** What `delete` will remove. */
  'entityGraph/whatDeleteRemoves': { params: { uri: string }; result: Outcome<DeletionView> };
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
  /** The data objects of a source of the file. Reads the source when they are unknown, which may ask for secrets. */
  'entityGraph/objectsFor': {
    params: { uri: string; dataSource: string } & Reported;
    result: Outcome<DataObjectsView>;
  };
  /** All source kinds, in display order. */
  'entityGraph/sourceKinds': { params: object; result: readonly SourceKindView[] };
  /** All data sources in the open folders, by file. */
  'entityGraph/allDataSources': { params: object; result: DataSourcesView };
  /** The data objects of a source. `refresh` reads the source again, which may ask for secrets. */
  'entityGraph/sourceObjects': {
    params: { uri: string; dataSource: string; refresh?: boolean } & Reported;
    result: Outcome<DataObjectsView>;
  };
  'entityGraph/sourceColumns': {
    params: { uri: string; dataSource: string; dataObject: string } & Reported;
    result: Outcome<readonly ColumnView[]>;
  };
  /** The first rows of a data object. Cancelled with `$/cancelRequest`. */
  'entityGraph/previewObject': {
    params: { uri: string; dataSource: string; dataObject: string } & Reported;
    result: Outcome<TestQueryResult>;
  };
  /** Diagnoses a data source; `draft` is the unsaved text of its file. */
  'entityGraph/diagnoseSource': {
    params: { uri: string; dataSource: string; draft?: string } & Reported;
    result: Outcome<SourceReport>;
  };
  /** Edits that add a data source to a sources file, which may not exist yet, and its new text. */
  'entityGraph/addDataSource': {
    params: { uri: string; name: string; settings: Readonly<Record<string, unknown>> };
    result: Outcome<IntentEdits & { text: string }>;
  };
  /** The values that a data source sends; `draft` is the unsaved text of its file. Empty for invalid settings. */
  'entityGraph/secretUses': {
    params: { uri: string; dataSource: string; draft?: string };
    result: readonly SecretUse[];
  };
  /** Logs in to a source in the browser. Resolves to true when logged in or when no login is needed. */
  'entityGraph/signIn': { params: { uri: string; dataSource: string }; result: Outcome<{ signedIn: boolean }> };
  /** The request of an action on an instance of the platform; nothing is sent. */
  'entityGraph/previewAction': { params: ActionParams & Reported; result: Outcome<ActionPreview> };
  /**
   * Runs the action. Cancelled with `$/cancelRequest`.
   */
  'entityGraph/runAction': { params: ActionParams & Reported; result: Outcome<ActionResult> };
  /** What the explorer offers for a source; `uri` is that of the sources file. */
  'entityGraph/apiView': { params: { uri: string; dataSource: string }; result: Outcome<ApiView> };
  'entityGraph/apiText': { params: ApiParams; result: Outcome<ApiText> };
  /** Sends the request once. Cancelled with `$/cancelRequest`. */
  'entityGraph/apiSend': { params: ApiParams; result: Outcome<ApiExchange> };
  /** Edits of the sources file that add a record list as a data object, and its limitations as sentences. */
  'entityGraph/apiEntry': {
    params: ApiParams & { list: ApiList };
    result: Outcome<IntentEdits & { notes: readonly string[] }>;
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
      /** Without them the first of equally good columns is taken, and nothing is asked. */
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
  /** A query on the imported graph of a file; answered in a separate process. */
  'entityGraph/eventGraph': {
    params: { uri: string; question: EventGraphQuestion; params: unknown };
    result: Outcome<unknown>;
  };
  /** The tests with given rows of one file, or of all files in the open folders. */
  'entityGraph/graphTests': { params: { uri?: string }; result: readonly TestFileView[] };
  /**
   * Runs tests of a file in a child process, with unsaved changes; all of them without `names`. Cancelled with
   * `$/cancelRequest`.
   */
  'entityGraph/runTests': {
    params: { uri: string; names?: readonly string[]; online?: boolean };
    result: Outcome<TestRunView>;
  };
  /** Reads rows of the data sources for a test. `limit` as in `testQuery`. */
  'entityGraph/rowsForTest': {
    params: { uri: string; wanted: WantedRows; limit?: number } & Reported;
    result: Outcome<TestRows>;
  };
  /** A test with these rows that expects what comes of them, for the file of tests beside the graph; nothing is written. */
  'entityGraph/newTest': { params: { uri: string; test: NewTest }; result: Outcome<WrittenTest> };
  /** Whether and when the graph was imported; null for an unsaved file. */
  'entityGraph/status': { params: { uri: string }; result: GraphStatusView | null };
}

export interface ApiParams {
  readonly uri: string;
  readonly dataSource: string;
  readonly request: ApiRequest;
}

/** An action on a data source; `uri` is that of the sources file. */
export interface ActionParams {
  readonly uri: string;
  readonly dataSource: string;
  readonly action: PlatformAction;
}

/** The status of one entity graph, as printed by the `status` command. */
export interface GraphStatusView {
  readonly status: 'Not Imported' | 'Imported';
  /** Phase of a running import, or the result of the last one. */
  readonly progress: string | null;
  /** ISO 8601, UTC. */
  readonly imported: string | null;
  readonly modifiedSinceImport: boolean;
  /** Data sources that the last import could not reach, and of whose rows it took earlier ones. */
  readonly keptRows?: readonly KeptRowsView[];
  /** What the last import was limited to; absent for the whole graph. */
  readonly slice?: ImportSlice;
  /** Why it cannot be imported: `unknown-data-source`, or an unreadable text. */
  readonly problem?: Failure;
}

/** An entity graph in a list. */
export interface EntityView extends GraphStatusView {
  readonly uri: string;
  readonly name: string;
  readonly dataSource: string | null;
  /** All that it names, that of the file first. */
  readonly dataSources: readonly string[];
  /** URI of its sources file. */
  readonly sourcesUri: string | null;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly modified: string;
}

export interface EntitiesView {
  readonly entities: readonly EntityView[];
  /** Unreadable files and folders, whose graphs are missing above. */
  readonly unreadable: readonly UnreadableView[];
}

/** A file or folder that could not be read, or only partly. */
export interface UnreadableView {
  readonly uri: string;
  readonly error: Failure;
}

export interface DataSourcesView {
  readonly sources: readonly DataSourceView[];
  /** Sources files whose sources are missing above in part. */
  readonly unreadable: readonly UnreadableView[];
}

/** A configured data source. */
export interface DataSourceView {
  /** URI of the sources file. */
  readonly uri: string;
  readonly name: string;
  readonly kind: string;
  /** Name of the codicon of its kind. */
  readonly icon: string;
  readonly abilities: readonly SourceAbility[];
  readonly range: TextRange;
  /** Number of data objects; absent while the catalog is not in memory. */
  readonly objectCount?: number;
  /** Names of `${secret:NAME}` references in its settings. */
  readonly secrets: readonly string[];
  /** The environment variable of each secret that has one; used while the secret is not stored. */
  readonly secretVariables?: Readonly<Record<string, string>>;
  /** The values that it sends; empty for invalid settings. */
  readonly uses: readonly SecretUse[];
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

/** Properties that our client sends in LSP's `initializationOptions`; other clients omit them all. */
export interface InitializationOptions {
  /** False in an untrusted workspace, where no source is contacted. Default: true. */
  readonly trusted?: boolean;
  /** The client supports `ClientRequests` and `LanguageNotifications`. */
  readonly extended?: boolean;
  /**
   * Origins, such as `https://acme.example`, that may receive values of secrets and environment variables without a
   * question.
   */
  readonly allowedOrigins?: readonly string[];
}

/** Notifications, client → server. */
export interface ClientNotifications {
  'entityGraph/trustChanged': { trusted: boolean };
  /** Secrets were set, or their use was allowed: failed reads can be retried. */
  'entityGraph/secretsChanged': object;
  /** No canvas shows the graph any more. */
  'entityGraph/unfollowGraph': { uri: string };
}

export interface QueryTargetView {
  readonly target: QueryTarget;
  readonly label: string;
  readonly description: string;
  readonly range: TextRange;
}

/** Notifications, server → client. */
export interface LanguageNotifications {
  'entityGraph/importProgress': { uri: string; progress: ImportProgress };
  /** The step of a request (`Reported`), such as `Connecting to db.example:5432` or the number of staged rows. */
  'entityGraph/requestProgress': { progressToken: string; message: string };
  /** A document's model changed. Without `view`, a canvas requests it. */
  'entityGraph/graphChanged': { uri: string; version: number; view?: GraphView };
  /** The catalog of a data source is being read, is known, or could not be read. */
  'entityGraph/catalogChanged': CatalogChange;
}

/** Requests, server → client. */
export interface ClientRequests {
  /**
   * Whether a value may be sent to the given place. With `prompt`, a user waits and is asked if undecided; with
   * `offer`, nobody waits, and a notification may offer to allow it. Every result but `allowed: true` refuses.
   */
  'entityGraph/allowSecret': {
    params: SecretUse & { prompt: boolean; offer?: boolean };
    result: { allowed: boolean } | null;
  };
  /**
   * The value of `${secret:NAME}` from secret storage for all of its places. With `prompt`, asks the user when it is
   * missing.
   */
  'entityGraph/secret': {
    params: { name: string; prompt: boolean; uses: readonly SecretUse[] };
    result: { value: string | null };
  };
  /** The token of a browser login from secret storage. */
  'entityGraph/token': { params: { name: string }; result: { value: string | null } };
  /** Stores or deletes such a token. */
  'entityGraph/keepToken': { params: { name: string; value: string | null }; result: null };
  /** Opens a login page with the redirect address added; null when the user cancelled. */
  'entityGraph/authorize': { params: AuthorizationRequest; result: AuthorizationAnswer | null };
}

/** A value that a data source sends to a server. Consent is per combination of all fields but `dataSource`. */
export interface SecretUse {
  /** `${secret:NAME}`, `${env:NAME}`, or the token of a browser login: `name` is then its issuing origin. */
  readonly value: 'secret' | 'env' | 'login';
  readonly name: string;
  /** Source kind. */
  readonly kind: string;
  /** Scheme, host and port of the server, such as `https://acme.example`. */
  readonly origin: string;
  /** The user of the login; empty without one. */
  readonly user: string;
  /** Description of the connection's protection. */
  readonly tls: string;
  readonly dataSource: string;
  /** Absolute path of the data sources file. */
  readonly file: string;
}

export interface AuthorizationRequest {
  readonly dataSource: string;
  readonly url: string;
  /** Identifies the request in the callback. */
  readonly state: string;
  /** The configured redirect address. */
  readonly redirectUri?: string | undefined;
}

/** The parameters of the callback. */
export interface AuthorizationAnswer {
  readonly redirectUri: string;
  readonly code?: string;
  /** The error parameter of the callback. */
  readonly error?: string;
}

export type RequestMethod = keyof LanguageRequests;
export type RequestParams<M extends RequestMethod> = LanguageRequests[M]['params'];
export type RequestResult<M extends RequestMethod> = LanguageRequests[M]['result'];
