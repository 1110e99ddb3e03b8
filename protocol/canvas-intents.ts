import type { RuleCode } from './failure-codes.ts';
import type { elementFields } from './fields/element.ts';
import type { FieldTable, FieldType, ValuesOf } from './fields/field.ts';
import type { masterDataFields } from './fields/master-data.ts';
import type { processContextFields } from './fields/process-context.ts';
import type { crossTableFields, relationshipFields } from './fields/relationship.ts';
import type { Outcome, TextRange } from './query-results.ts';
import type {
  activityNames,
  canvasLayout,
  crossMapping,
  dataObjectName,
  expectations,
  lifecycle,
  mapping,
  pathStep,
  previewShare,
  property,
  rowCorrelation,
} from './shapes/canvas-value-shapes.ts';
import type { Checked } from './shapes/shape.ts';

export type DataObjectName = Checked<typeof dataObjectName>;

/** The fields of an element; a column of a time and its SQL exclude each other. */
export type ElementValues = DialogValues<typeof elementFields>;

/** The fields of an entry of `entities`. */
export type MasterDataValues = DialogValues<typeof masterDataFields>;

export type ProcessContextValues = DialogValues<typeof processContextFields>;

type DialogValues<Table extends FieldTable> = ValuesOf<Table, DialogTypes>;

interface DialogTypes extends Readonly<Record<FieldType, unknown>> {
  readonly text: string;
  readonly texts: readonly string[];
  readonly name: string;
  readonly dataSource: string;
  readonly dataObject: string;
  readonly entityType: string;
  readonly column: string;
  readonly key: readonly string[];
  readonly time: string;
  readonly expression: string;
  readonly atEndOfDay: boolean;
  readonly sql: string;
  readonly timeZone: string;
  readonly flag: boolean;
  readonly properties: readonly PropertyValue[] | 'all';
  readonly rowCorrelations: readonly RowCorrelationValues[];
  readonly expectations: ExpectationValues;
  readonly lifecycle: LifecycleValues;
  readonly activityNames: readonly ActivityNameValues[];
  readonly processContext: ProcessContextValues;
  readonly end: string;
  readonly mappings: readonly MappingValues[];
  readonly sourceMappings: readonly CrossMappingValues[];
  readonly targetMappings: readonly CrossMappingValues[];
  readonly crossTable: CrossTableValues;
  readonly path: readonly PathStepValues[];
  readonly correlation: string;
}

export type LifecycleValues = Checked<typeof lifecycle>;
export type ActivityNameValues = Checked<typeof activityNames>[number];
export type ExpectationValues = Checked<typeof expectations>;
export type RowCorrelationValues = Checked<typeof rowCorrelation>;
export type PropertyValue = Checked<typeof property>;

/** Fields to change; null removes a field. */
export type Patch<T> = { readonly [K in keyof T]?: T[K] | null };
export type ElementPatch = Patch<ElementValues>;
export type MasterDataPatch = Patch<MasterDataValues>;

export type MappingValues = Checked<typeof mapping>;
export type CrossMappingValues = Checked<typeof crossMapping>;
export type PathStepValues = Checked<typeof pathStep>;

/** The fields of a cross table. */
export interface CrossTableValues extends DialogValues<typeof crossTableFields> {
  readonly sourceMappings: readonly CrossMappingValues[];
  readonly targetMappings: readonly CrossMappingValues[];
}

/** The fields of a relationship. */
export interface RelationshipValues extends DialogValues<typeof relationshipFields> {
  readonly mappings: readonly MappingValues[];
}

export type RelationshipPatch = Patch<RelationshipValues>;

interface RangeEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Text edits for one document version. */
export interface IntentEdits {
  readonly version: number;
  readonly edits: readonly RangeEdit[];
  /** Edits of other files that belong to it: files of tests that name what is renamed. */
  readonly others?: readonly { readonly uri: string; readonly edits: readonly RangeEdit[] }[];
  /** What the canvas selects after the edits: `element:<id>` or `relationship:<id>`. */
  readonly select?: string | undefined;
}

/** A problem that the draft would have, at the affected entry. */
export interface IntentProblem {
  readonly code: RuleCode;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  /** The affected field, such as `where` or `mappings.0.expression`; empty for the whole entry. */
  readonly property: string;
  /** The underlined text. */
  readonly excerpt: string;
}

/** Part of a sentence: words, a highlighted name, or an expression. Each view renders it in its own way. */
export type SentencePart = string | { readonly name: string } | { readonly code: string };

/** Feedback to a dialog while values are entered. */
export interface IntentCheck {
  readonly problems: readonly IntentProblem[];
  /** The join described in words; absent for other intents and without a join. */
  readonly summary?: readonly SentencePart[];
}

export type DataObjectKind =
  'table' | 'partitioned table' | 'partition' | 'view' | 'materialized view' | 'foreign table' | 'file' | 'endpoint';

/** A data object in the lists of the first step and in the metadata panel. */
export interface DataObjectView {
  readonly name: string;
  readonly kind: DataObjectKind;
  readonly comment?: string | undefined;
  readonly columnCount: number;
  readonly rowEstimate?: number;
  /** Bytes. */
  readonly dataSize?: number;
  /** ISO 8601, UTC. */
  readonly lastAnalyzed?: string;
  readonly key: readonly string[];
}

/** Type category that decides which uses of a column are valid. Categories are the same for all engines. */
export type ColumnSense =
  'timestamp' | 'date' | 'time' | 'integer' | 'number' | 'text' | 'boolean' | 'json' | 'binary' | 'other';

export interface ColumnView {
  /** `column`, or `alias.column` of a joined table. */
  readonly name: string;
  readonly type: string;
  readonly sense: ColumnSense;
  readonly key: boolean;
  readonly nullable: boolean;
  readonly comment?: string | undefined;
  /** `object.column` */
  readonly references?: string | undefined;
  /** Values offered by the source. */
  readonly values?: readonly { readonly value: string; readonly label?: string }[] | undefined;
  /** 0 to 1 */
  readonly nullShare?: number | undefined;
  readonly distinctEstimate?: number | undefined;
  /** Some shortened example values. */
  readonly samples?: readonly string[] | undefined;
}

/** What the columns of a data object suggest for a new entry. Without `element` they have no times of events. */
export interface EntryDraft {
  readonly element?: ElementValues | undefined;
  readonly masterData?: MasterDataValues | undefined;
}

/** The known catalog of a graph's data source. */
export interface DataObjectsView {
  readonly objects: readonly DataObjectView[];
  /** Why the catalog is missing or incomplete. */
  readonly incomplete?: string | undefined;
}

/** Another data source than that of the graph; its data objects can be chosen as well. */
export interface OtherSourceView {
  readonly dataSource: string;
  /** The kind as the user knows it, such as `SQLite`. */
  readonly kind: string;
  /** The graph names it. */
  readonly isNamed: boolean;
  /** Its data objects, or why they could not be read; absent while unknown. */
  readonly catalog?: Outcome<DataObjectsView> | undefined;
}

export interface JoinSuggestion {
  /** Reason of the suggestion, such as `foreign key orders_customer_fk`. */
  readonly reason: string;
  readonly mappings: readonly MappingValues[];
  readonly crossTable?: CrossTableValues;
}

export type CanvasLayout = Checked<typeof canvasLayout>;
export type PreviewShare = Checked<typeof previewShare>;
