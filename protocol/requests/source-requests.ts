import type { ColumnView, DataObjectsView, IntentEdits } from '../canvas-intents.ts';
import type { Diagnosis } from '../diagnosis.ts';
import type { TestQueryResult, TextRange } from '../query-results.ts';
import { reported, request } from '../shapes/request-shape.ts';
import { anything, flag, optional, record, text } from '../shapes/shape.ts';
import type { SourceAbility, SourceKindView } from '../source-kinds.ts';
import type { SecretUse } from './client-requests.ts';
import type { UnreadableView } from './lifecycle-requests.ts';

const ofSource = { uri: text, dataSource: text };
const ofObject = { ...ofSource, dataObject: text };
/** The unsaved text of the file. */
const draft = optional(text);

/** Requests about data sources and their data objects. */
export const sourceRequests = {
  /** All source kinds, in display order. */
  'entityGraph/sourceKinds': request({}).gives<readonly SourceKindView[]>(),
  /** All data sources in the open folders, by file. */
  'entityGraph/allDataSources': request({}).gives<DataSourcesView>(),
  /** The data objects of a source. `refresh` reads the source again, which may ask for secrets. */
  'entityGraph/sourceObjects': reported({ ...ofSource, refresh: optional(flag) }).outcome<DataObjectsView>(),
  'entityGraph/sourceColumns': reported(ofObject).outcome<readonly ColumnView[]>(),
  /** What a column feeds in the entity graphs of the open folders. */
  'entityGraph/columnUses': request({ ...ofObject, column: text }).outcome<readonly ColumnUseView[]>(),
  /** The first rows of a data object. Cancelled with `$/cancelRequest`. */
  'entityGraph/previewObject': reported(ofObject).outcome<TestQueryResult>(),
  /** Diagnoses a data source. */
  'entityGraph/diagnoseSource': reported({ ...ofSource, draft }).outcome<Diagnosis>(),
  /** Edits that add a data source to a sources file, which may not exist yet, and its new text. */
  'entityGraph/addDataSource': request({ uri: text, name: text, settings: record(anything) }).outcome<
    IntentEdits & { text: string }
  >(),
  /** The values that a data source sends. Empty for invalid settings. */
  'entityGraph/secretUses': request({ ...ofSource, draft }).gives<readonly SecretUse[]>(),
  /** Logs in to a source in the browser. Resolves to true when logged in or when no login is needed. */
  'entityGraph/signIn': request(ofSource).outcome<{ signedIn: boolean }>(),
};

/** A part of an entity graph that is made of a column. */
export interface ColumnUseView {
  /** URI of the entity graph. */
  readonly uri: string;
  readonly range: TextRange;
  /** Such as `Place Order · property value`. */
  readonly words: string;
  /** Its own text names the column; otherwise it depends on it through filters, joins or other parts. */
  readonly isDirect: boolean;
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
