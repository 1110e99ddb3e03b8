import type { RuleCode } from './failure-codes.ts';
import type { TextRange } from './query-results.ts';

/** What a person wants changed on the canvas; the server turns it into edits of the text. Ids are those of the graph view. */
export type CanvasIntent =
  /** The whole of Selected Data Objects, in its new order. */
  | { readonly kind: 'selectDataObjects'; readonly dataObjects: readonly string[] }
  /** A provisional element; its data object is selected with it. */
  | { readonly kind: 'addElement'; readonly dataObject: string }
  | { readonly kind: 'configureElement'; readonly element: string; readonly values: ElementPatch }
  | { readonly kind: 'duplicateElement'; readonly element: string }
  /** A draft, unless mappings come along. */
  | {
      readonly kind: 'addRelationship';
      readonly source: string;
      readonly target: string;
      readonly mappings?: readonly MappingValues[];
    }
  | { readonly kind: 'configureRelationship'; readonly relationship: string; readonly values: RelationshipPatch }
  /** Relationships of removed elements go with them. */
  | { readonly kind: 'remove'; readonly elements: readonly string[]; readonly relationships: readonly string[] };

/** The configuration of an element, as its dialog edits it. */
export interface ElementValues {
  readonly activityName?: string;
  readonly dataObject?: string;
  readonly key?: readonly string[];
  readonly entityType?: string;
  readonly startTimestamp?: string;
  readonly changeTimestamp?: string;
  readonly sequence?: string;
  readonly activityColumn?: string;
  readonly properties?: readonly string[] | 'all';
  readonly joins?: string;
  readonly where?: string;
  readonly processContext?: ProcessContextValues;
}

export interface ProcessContextValues {
  readonly description?: string;
  readonly owner?: string;
  readonly businessRules?: readonly string[];
  readonly procedures?: readonly string[];
  readonly links?: readonly string[];
}

/** Only what is to be changed; null takes a value out. */
export type Patch<T> = { readonly [K in keyof T]?: T[K] | null };
export type ElementPatch = Patch<ElementValues>;

/** Left-out operators mean `=`. */
export type MappingValues =
  { readonly source: string; readonly operator?: string; readonly target: string } | { readonly expression: string };

export interface CrossMappingValues {
  /** Of the source element on the source side, of the target element on the target side. */
  readonly column: string;
  readonly operator?: string;
  readonly cross: string;
}

export interface CrossTableValues {
  readonly dataObject?: string;
  readonly sourceMappings: readonly CrossMappingValues[];
  readonly targetMappings: readonly CrossMappingValues[];
}

/** The configuration of a relationship, as its dialog edits it; its ends are changed in the text. */
export interface RelationshipValues {
  readonly name?: string;
  readonly mappings: readonly MappingValues[];
  readonly crossTable?: CrossTableValues;
  readonly correlate?: string;
}
export type RelationshipPatch = Patch<RelationshipValues>;

/** Edits for one version of a document. */
export interface IntentEdits {
  readonly version: number;
  readonly edits: readonly { readonly range: TextRange; readonly newText: string }[];
  /** What the canvas selects when the edits are there: `element:<id>` or `relationship:<id>`. */
  readonly select?: string;
}

/** What would be wrong after an intent, at the entry that it changes. */
export interface IntentProblem {
  readonly code: RuleCode;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  /** The property it is about, such as `where` or `mappings.0.expression`; empty for the entry as a whole. */
  readonly property: string;
  /** The text that is underlined. */
  readonly excerpt: string;
}

/** A piece of a sentence: words, a name that stands out, or an expression. Each surface shows them as it can. */
export type SentencePart = string | { readonly name: string } | { readonly code: string };

/** What the dialogs show while values are being entered. */
export interface IntentCheck {
  readonly problems: readonly IntentProblem[];
  /** The join of a relationship in plain words; absent for other intents and while nothing is joined. */
  readonly summary?: readonly SentencePart[];
}

export type DataObjectKind =
  'table' | 'partitioned table' | 'partition' | 'view' | 'materialized view' | 'foreign table' | 'file' | 'endpoint';

/** A data object in the lists of the first step and in its metadata panel. */
export interface DataObjectView {
  readonly name: string;
  readonly kind: DataObjectKind;
  readonly comment?: string;
  readonly columnCount: number;
  readonly rowEstimate?: number;
  /** Bytes. */
  readonly dataSize?: number;
  /** ISO 8601, UTC. */
  readonly lastAnalyzed?: string;
  readonly key: readonly string[];
}

/** What a column can be used for; engines' type names differ, senses do not. */
export type ColumnSense =
  'timestamp' | 'date' | 'time' | 'integer' | 'number' | 'text' | 'boolean' | 'json' | 'binary' | 'other';

export interface ColumnView {
  /** `column`, or `alias.column` of a joined table. */
  readonly name: string;
  readonly type: string;
  readonly sense: ColumnSense;
  readonly key: boolean;
  readonly nullable: boolean;
  readonly comment?: string;
  /** `object.column` */
  readonly references?: string;
  /** The values that its source offers for it. */
  readonly values?: readonly { readonly value: string; readonly label?: string }[];
  /** 0 to 1 */
  readonly nullShare?: number;
  readonly distinctEstimate?: number;
}

/** What is known of the data source of a graph. */
export interface DataObjectsView {
  readonly objects: readonly DataObjectView[];
  /** Why names are not known or not all known. */
  readonly incomplete?: string;
}

export interface JoinSuggestion {
  /** Why it is plausible, such as `foreign key orders_customer_fk`. */
  readonly reason: string;
  readonly mappings: readonly MappingValues[];
  readonly crossTable?: CrossTableValues;
}

/** Places that people gave to elements, by the ids of the graph view; pixels of the canvas. */
export interface CanvasLayout {
  readonly elements: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
}
