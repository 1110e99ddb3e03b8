import type { ApiExchange, ApiList, ApiRequest, ApiText, ApiView } from './api-explorer.ts';
import type {
  CanvasIntent,
  CanvasLayout,
  ColumnView,
  DataObjectsView,
  ElementValues,
  IntentCheck,
  IntentEdits,
  JoinSuggestion,
} from './canvas-intents.ts';
import type { EventGraphQuestion, ExportForm } from './event-graph.ts';
import type { GraphView } from './graph-view.ts';
import type { GraphDiff } from './graph-diff.ts';
import type { ImportPlanView } from './import-plan.ts';
import type { ImportProgress, ImportSummary } from './import-progress.ts';
import type { DraftAnswer, DraftOutcome } from './first-draft.ts';
import type { ImportRequest } from './import-request.ts';
import type { SourceReport } from './source-checks.ts';
import type { SourceAbility, SourceKindView } from './source-kinds.ts';
import type { ActionPreview, ActionResult, PlatformAction } from './platform-actions.ts';
import type { Failure, Outcome, QueryTarget, ShowQueryResult, TestQueryResult, TextRange } from './query-results.ts';

/** Requests beyond LSP, client → server: method → params and result. */
export interface LanguageRequests {
  'entityGraph/graphView': { params: { uri: string }; result: GraphView | null };
  /** Elements and relationships of a file, for pickers. */
  'entityGraph/queryTargets': { params: { uri: string }; result: readonly QueryTargetView[] };
  /** With a draft, the query is that of the file as it would be after the intent. */
  'entityGraph/showQuery': {
    params: { uri: string; target: QueryTarget; draft?: CanvasIntent };
    result: Outcome<ShowQueryResult>;
  };
  /** Cancelled with LSP's `$/cancelRequest`, which cancels on the source's server too. */
  'entityGraph/testQuery': {
    params: { uri: string; target: QueryTarget; limit?: number; draft?: CanvasIntent };
    result: Outcome<TestQueryResult>;
  };
  /** What the last import changed against the one before. */
  'entityGraph/graphDiff': { params: { uri: string }; result: Outcome<GraphDiff> };
  /**
   * Writes the imported graph into `output`, the address of a file or a folder as the form needs; resolves to paths. With `guardFormulas`, CSV
   * has an apostrophe before texts that spreadsheets would run.
   */
  'entityGraph/exportGraph': {
    params: { uri: string; form: ExportForm; output: string; guardFormulas?: boolean };
    result: Outcome<readonly string[]>;
  };
  /** Every statement that an import of the file would run now. */
  'entityGraph/importPlan': { params: { uri: string }; result: Outcome<ImportPlanView> };
  /**
   * Runs in a child process; progress comes as `entityGraph/importProgress`. Cancelled with `$/cancelRequest`. Without `request`, the whole graph is
   * built.
   */
  'entityGraph/import': { params: { uri: string; request?: ImportRequest }; result: ImportSummary };
  /** Reads the catalog of the file's data source anew. */
  'entityGraph/refreshCatalog': { params: { uri: string }; result: Outcome<{ objects: number }> };
  /** The edits that make an intent of the canvas true, for the version of the document that the server has. */
  'entityGraph/edit': { params: { uri: string; intent: CanvasIntent }; result: Outcome<IntentEdits> };
  /** What would be wrong after an intent; nothing is changed. */
  'entityGraph/checkIntent': { params: { uri: string; intent: CanvasIntent }; result: Outcome<IntentCheck> };
  /** The data objects of the graph's source as far as they are known; with `refresh`, the source is read anew, which may ask for secrets. */
  'entityGraph/dataObjects': { params: { uri: string; refresh?: boolean }; result: Outcome<DataObjectsView> };
  /** The columns that an element with these values may name: those of its data object, then those of joined tables. */
  'entityGraph/columns': {
    params: { uri: string; values: Pick<ElementValues, 'dataObject' | 'joins'> };
    result: readonly ColumnView[];
  };
  /** Plausible joins of two elements (ids of the graph view), the likeliest first. */
  'entityGraph/suggestJoins': {
    params: { uri: string; source: string; target: string };
    result: readonly JoinSuggestion[];
  };
  'entityGraph/layout': { params: { uri: string }; result: CanvasLayout };
  /** Keeps positions beside the state of the graph; an empty layout removes them. */
  'entityGraph/saveLayout': { params: { uri: string; layout: CanvasLayout }; result: Outcome<null> };
  /** All entity graphs in the open folders, by path. */
  'entityGraph/entities': { params: object; result: EntitiesView };
  /** The text of the last successful import. */
  'entityGraph/importedText': { params: { uri: string }; result: Outcome<{ text: string }> };
  /** Makes a graph that differs in its name only; never overwrites. */
  'entityGraph/copy': { params: { uri: string; target: string }; result: Outcome<FileResult> };
  /** What `delete` would remove. */
  'entityGraph/whatDeleteRemoves': { params: { uri: string }; result: Outcome<DeletionView> };
  /** With `dropTables` also what imports have left inside data sources, which may ask for secrets. Cancelled with `$/cancelRequest`. */
  'entityGraph/delete': { params: { uri: string; dropTables?: boolean }; result: Outcome<readonly FileResult[]> };
  'entityGraph/exportConfiguration': {
    params: { uri: string; target: string; format: 'json' | 'yaml' };
    result: Outcome<FileResult>;
  };
  /** Takes configurations in, each on its own; refuses to overwrite unless told so. All are addresses of files. */
  'entityGraph/importConfigurations': {
    params: { files: readonly string[]; folder: string; existing?: ExistingFile };
    result: Outcome<readonly FileResult[]>;
  };
  /** The data objects of a source that holds for a file; read from it, which may ask for secrets, when they are not known. */
  'entityGraph/objectsFor': { params: { uri: string; dataSource: string }; result: Outcome<DataObjectsView> };
  /** The kinds of data sources that there are, as they are listed. */
  'entityGraph/sourceKinds': { params: object; result: readonly SourceKindView[] };
  /** All data sources in the open folders, by file. */
  'entityGraph/allDataSources': { params: object; result: DataSourcesView };
  /** The data objects of one; with `refresh` the source is read anew, which may ask for secrets. */
  'entityGraph/sourceObjects': {
    params: { uri: string; dataSource: string; refresh?: boolean };
    result: Outcome<DataObjectsView>;
  };
  'entityGraph/sourceColumns': {
    params: { uri: string; dataSource: string; dataObject: string };
    result: Outcome<readonly ColumnView[]>;
  };
  /** The first rows of a data object. Cancelled with `$/cancelRequest`. */
  'entityGraph/previewObject': {
    params: { uri: string; dataSource: string; dataObject: string };
    result: Outcome<TestQueryResult>;
  };
  /** Finds out what keeps a data source from being used; `draft` is the text of its file as it would be. */
  'entityGraph/examineSource': {
    params: { uri: string; dataSource: string; draft?: string };
    result: Outcome<SourceReport>;
  };
  /** The edits that add a data source to a sources file, which need not be there yet, and its text after them. */
  'entityGraph/addDataSource': {
    params: { uri: string; name: string; settings: Readonly<Record<string, unknown>> };
    result: Outcome<IntentEdits & { text: string }>;
  };
  /** The values that a data source sends; `draft` is the text of its file as it would be. None where its settings cannot be used. */
  'entityGraph/secretUses': {
    params: { uri: string; dataSource: string; draft?: string };
    result: readonly SecretUse[];
  };
  /** Logs in to a source in the browser; whether that was done, or is not needed. */
  'entityGraph/signIn': { params: { uri: string; dataSource: string }; result: Outcome<{ signedIn: boolean }> };
  /** What an action would send to an instance of the platform; nothing is sent. */
  'entityGraph/previewAction': { params: ActionParams; result: Outcome<ActionPreview> };
  /** Does it; with a `progressToken`, what is reached comes as `entityGraph/actionProgress`. Cancelled with `$/cancelRequest`. */
  'entityGraph/runAction': { params: ActionParams & { progressToken?: string }; result: Outcome<ActionResult> };
  /** What the explorer proposes for a source, `uri` that of the sources file. */
  'entityGraph/apiView': { params: { uri: string; dataSource: string }; result: Outcome<ApiView> };
  'entityGraph/apiText': { params: ApiParams; result: Outcome<ApiText> };
  /** Sends it once. Cancelled with `$/cancelRequest`. */
  'entityGraph/apiSend': { params: ApiParams; result: Outcome<ApiExchange> };
  /** The edits of the sources file that make a list of records a data object, and what does not hold for that as sentences. */
  'entityGraph/apiEntry': {
    params: ApiParams & { list: ApiList };
    result: Outcome<IntentEdits & { notes: readonly string[] }>;
  };
  /**
   * Writes a first graph, or asks where several columns are as good and no answer says which. With a `progressToken`, what
   * is read comes as `entityGraph/actionProgress`.
   */
  'entityGraph/newGraph': {
    /** All data objects of the source unless some are named; the graph is called as its source unless it gets a name. */
    params: {
      target: string;
      dataSource: string;
      name?: string;
      objects?: readonly string[];
      /** Without them the first of equally good columns is taken, and nothing is asked. */
      answers?: readonly DraftAnswer[];
      progressToken?: string;
    };
    result: Outcome<DraftOutcome>;
  };
  /** Writes a file, whole, to a place that a person has chosen. */
  'entityGraph/saveFile': { params: { target: string; base64: string }; result: Outcome<null> };
  /** Writes a graph without elements that must not exist yet. */
  'entityGraph/newEmptyGraph': {
    params: { target: string; name: string; dataSource: string };
    result: Outcome<null>;
  };
  /** A question about the imported graph of a file; answered in a process of its own. */
  'entityGraph/eventGraph': {
    params: { uri: string; question: EventGraphQuestion; params: unknown };
    result: Outcome<unknown>;
  };
  /** Whether and when the graph was imported; null for a file that is not on disk. */
  'entityGraph/status': { params: { uri: string }; result: GraphStatusView | null };
}

export interface ApiParams {
  readonly uri: string;
  readonly dataSource: string;
  readonly request: ApiRequest;
}

/** An action at a data source; `uri` is that of the sources file. */
export interface ActionParams {
  readonly uri: string;
  readonly dataSource: string;
  readonly action: PlatformAction;
}

/** The status of one entity graph, as `status` of the command line prints it. */
export interface GraphStatusView {
  readonly status: 'Not Imported' | 'Imported';
  /** The step of a running import or how the last one ended. */
  readonly progress: string | null;
  /** ISO 8601, UTC. */
  readonly imported: string | null;
  readonly modifiedSinceImport: boolean;
  /** Why it cannot be imported as it stands: `unknown-data-source`, or its text cannot be read. */
  readonly problem?: Failure;
}

/** An entity graph as lists show it. */
export interface EntityView extends GraphStatusView {
  readonly uri: string;
  readonly name: string;
  readonly dataSource: string | null;
  /** Of the sources file that holds. */
  readonly sourcesUri: string | null;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly modified: string;
}

export interface EntitiesView {
  readonly entities: readonly EntityView[];
  /** Files and folders whose graphs are missing above. */
  readonly unreadable: readonly UnreadableView[];
}

/** A file or folder that could not be read, in whole or in part. */
export interface UnreadableView {
  readonly uri: string;
  readonly error: Failure;
}

export interface DataSourcesView {
  readonly sources: readonly DataSourceView[];
  /** Sources files some or all of whose sources are missing above. */
  readonly unreadable: readonly UnreadableView[];
}

/** A configured data source. */
export interface DataSourceView {
  /** Of the sources file. */
  readonly uri: string;
  readonly name: string;
  readonly kind: string;
  /** Name of a codicon, of its kind. */
  readonly icon: string;
  readonly abilities: readonly SourceAbility[];
  readonly range: TextRange;
  /** How many data objects it has; absent while its catalog is not in memory. */
  readonly objectCount?: number;
  /** The names in `${secret:NAME}` of its settings. */
  readonly secrets: readonly string[];
  /** The values that it sends; none where its settings cannot be used. */
  readonly uses: readonly SecretUse[];
}

/** What deleting an entity graph removes. */
export interface DeletionView {
  /** Absolute paths. */
  readonly paths: readonly string[];
  /** Schemas that imports have left inside data sources: they go only when that is asked for. */
  readonly inSources: readonly { readonly dataSource: string; readonly schema: string }[];
}

/** What became of one file. */
export interface FileResult {
  readonly file: string;
  readonly action: 'reset' | 'unchanged' | 'created' | 'deleted' | 'exported' | 'imported' | 'refused';
  readonly message?: string;
  /** The file that is in the way, when that is why. */
  readonly existing?: string;
}

/** What to do with a file that is in the way of one that is taken in. */
export type ExistingFile = 'refuse' | 'replace' | 'keep-both';

/** What our client says of itself in LSP's `initializationOptions`; other editors leave all of it out. */
export interface InitializationOptions {
  /** False in a workspace that is not trusted: no source is reached then. True when not given. */
  readonly trusted?: boolean;
  /** The client answers `ClientRequests` and understands `LanguageNotifications`. */
  readonly extended?: boolean;
  /** Origins that values of secrets and of environment variables may be sent to without a question, such as `https://acme.example`. */
  readonly allowedOrigins?: readonly string[];
}

/** Notifications, client → server. */
export interface ClientNotifications {
  'entityGraph/trustChanged': { trusted: boolean };
  /** Secrets were set, or their use was allowed: what could not be read without them can be tried again. */
  'entityGraph/secretsChanged': object;
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
  /** What an action or a first draft has reached, such as how many rows are staged. */
  'entityGraph/actionProgress': { progressToken: string; message: string };
  /** A document's model changed; the canvas asks for the view again. */
  'entityGraph/graphChanged': { uri: string; version: number };
}

/** Requests, server → client. */
export interface ClientRequests {
  /**
   * Whether a value may be sent to where a data source would send it. With `prompt` a person waits, and is asked where that is not known; with
   * `offer` nobody waits, and a message may offer to allow it. Anything but `allowed: true` refuses.
   */
  'entityGraph/allowSecret': {
    params: SecretUse & { prompt: boolean; offer?: boolean };
    result: { allowed: boolean } | null;
  };
  /**
   * The value of `${secret:NAME}` from secret storage, kept for all of the places that it goes to; asks the user when it is missing and `prompt`
   * is set.
   */
  'entityGraph/secret': {
    params: { name: string; prompt: boolean; uses: readonly SecretUse[] };
    result: { value: string | null };
  };
  /** The token of a login in the browser from secret storage. */
  'entityGraph/token': { params: { name: string }; result: { value: string | null } };
  /** Keeps such a token, or removes it. */
  'entityGraph/keepToken': { params: { name: string; value: string | null }; result: null };
  /** Opens a page to log in at, the address to come back to added; null when the user gave up. */
  'entityGraph/authorize': { params: AuthorizationRequest; result: AuthorizationAnswer | null };
}

/** A value that a data source sends to a server. Two that differ in anything but `dataSource` are allowed each on its own. */
export interface SecretUse {
  /** `${secret:NAME}`, `${env:NAME}`, or the token of a login in the browser: `name` is the origin that gave it. */
  readonly value: 'secret' | 'env' | 'login';
  readonly name: string;
  /** Kind of the data source. */
  readonly kind: string;
  /** Scheme, host and port of the server, such as `https://acme.example`. */
  readonly origin: string;
  /** Whom the login names; empty when it names nobody. */
  readonly user: string;
  /** How the connection is protected, in words. */
  readonly tls: string;
  readonly dataSource: string;
  /** Absolute path of the data sources file. */
  readonly file: string;
}

export interface AuthorizationRequest {
  readonly dataSource: string;
  readonly url: string;
  /** Comes back with the answer. */
  readonly state: string;
  /** The address to come back to, where the source says one. */
  readonly redirectUri?: string;
}

/** What came back from the page. */
export interface AuthorizationAnswer {
  readonly redirectUri: string;
  readonly code?: string;
  /** What the page says instead of a code. */
  readonly error?: string;
}

export type RequestMethod = keyof LanguageRequests;
export type RequestParams<M extends RequestMethod> = LanguageRequests[M]['params'];
export type RequestResult<M extends RequestMethod> = LanguageRequests[M]['result'];
