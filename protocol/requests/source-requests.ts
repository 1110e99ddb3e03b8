import type { ColumnView, DataObjectsView, IntentEdits } from '../canvas-intents.ts';
import type { Outcome, TestQueryResult, TextRange } from '../query-results.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { SourceAbility, SourceKindView } from '../source-kinds.ts';
import type { SecretUse } from './client-requests.ts';
import type { UnreadableView } from './lifecycle-requests.ts';
import type { Reported } from './reported.ts';

/** Requests about data sources and their data objects. */
export interface SourceRequests {
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
    result: Outcome<Diagnosis>;
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
}

export interface DataSourcesView {
  readonly sources: readonly DataSourceView[];
  /** Sources files that could not be read completely; some of their data sources are missing in `sources`. */
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
  /** Name of the column that identifies its records; absent where they cannot be written. */
  readonly recordKey?: string | undefined;
  readonly range: TextRange;
  /** Number of data objects; absent while the catalog is not in memory. */
  readonly objectCount?: number | undefined;
  /** Names of `${secret:NAME}` references in its settings. */
  readonly secrets: readonly string[];
  /** The environment variable of each secret that has one; used while the secret is not stored. */
  readonly secretVariables?: Readonly<Record<string, string>> | undefined;
  /** The values that it sends; empty for invalid settings. */
  readonly uses: readonly SecretUse[];
}
