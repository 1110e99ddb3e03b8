import type { EntryName } from './graph-effect.ts';
import type { TimeRole } from './fields/element.ts';
import type { DataObjectName, ElementValues, MasterDataValues, RelationshipValues } from './canvas-intents.ts';
import type { ElementActivities, RelationshipCounts } from './import-progress.ts';
import type { TextRange } from './query-results.ts';
import type { problemAddress } from './shapes/canvas-value-shapes.ts';
import type { ObjectOf } from './shapes/shape.ts';

/** What the canvas draws: one entity graph, reduced to the visible parts. Names are those of the file. */
export interface GraphView {
  readonly uri: string;
  /** Version of the document. */
  readonly version: number;
  readonly name: string;
  readonly dataSource?: string;
  /** All data sources, the main one first; only of a graph of several. */
  readonly dataSources?: readonly string[];
  /** The selected data objects. */
  readonly dataObjects: readonly DataObjectName[];
  /** The elements, then the entries of `entities`: all that has a card, with ids that differ. */
  readonly elements: readonly CardView[];
  readonly relationships: readonly RelationshipView[];
  /**
   * The first line of each entry, in the order of its list; the ranges of an entry count lines from there. Absent: all
   * ranges count from the start of the file.
   */
  readonly firstLines?: { readonly elements: readonly number[]; readonly relationships: readonly number[] };
  readonly importSettings: ImportSettingsView;
  /** The last import; absent before the first one, and until it is known. */
  readonly imported?: { readonly isModifiedSince: boolean };
  /** Set while the text is unreadable; the canvas keeps the last valid drawing. */
  readonly syntaxError?: { readonly message: string; readonly range: TextRange };
}

/** `import` of the file. */
export interface ImportSettingsView {
  readonly engine: 'embedded' | 'source';
  /** The catalog of the schema, if the file names one. */
  readonly catalog?: string;
  readonly schema?: string;
  /** Its place; the end of the text if the file has none. */
  readonly range: TextRange;
}

export type CardView = ElementView | MasterDataView;

interface EntitySourceView {
  /** Unique in the graph, and stable while other text changes: derived from the name, else from the position. */
  readonly id: string;
  readonly dataObject?: string;
  /** The data source of its data object; only in a graph of several. */
  readonly dataSource?: string;
  readonly properties: readonly string[];
  readonly allProperties: boolean;
  /** Why it is unconfigured, absent when configured. */
  readonly unconfigured?: UnfinishedView;
  readonly processContext?: string;
  /** Errors and warnings, the worst first; absent without any, and until they are known. */
  readonly problems?: readonly ProblemView[];
  /** Counts of the last import; master data has no events. */
  readonly imported?: {
    readonly events?: number;
    readonly entities: number;
    readonly activities?: Pick<ElementActivities, 'names' | 'count'>;
  };
  /** Set by a canvas that shows a comparison. */
  readonly change?: EntryChange;
  readonly range: TextRange;
  /** Line range of the entry. */
  readonly extent: TextRange;
}

export interface ElementView extends EntitySourceView, Readonly<Partial<Record<TimeRole, string>>> {
  readonly isMasterData?: never;
  readonly activityName?: string;
  /** All fields that its dialog edits, as in the file. */
  readonly values: ElementValues;
}

/** An entry of `entities`: objects without events, and so without times. */
export interface MasterDataView extends EntitySourceView {
  readonly isMasterData: true;
  /** The name that relationships use: its own, else the entity type, else the data object. */
  readonly name?: string;
  readonly entityType?: string;
  /** The columns of its key; absent for the primary key of the data object. */
  readonly key?: readonly string[];
  readonly values: MasterDataValues;
}

/** Why an entry is unconfigured, with a remedy. */
export interface UnfinishedView {
  /** The diagnostic message, with the name of the entry. */
  readonly message: string;
  /** The problem and its remedy: a complete sentence each, without the name of the entry. */
  readonly problem: string;
  readonly remedy: string;
}

/** A problem of an entry, in the words of the canvas. */
export interface ProblemView {
  /** Unique at its entry, and stable while text outside the entry changes. */
  readonly id: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly range: TextRange;
}

/** How an entry of a canvas differs from the text that it is compared with. */
export interface EntryChange {
  readonly kind: 'new' | 'changed' | 'gone';
  readonly entry: EntryName;
  /** The numbers of the entry itself, such as `−91 events`, else what is known of it, such as `where edited`. */
  readonly text: string;
  /** What the edits of the entry do in the whole graph, in the words of its code lens. */
  readonly edits: readonly string[];
}

export type ProblemAddress = ObjectOf<typeof problemAddress>;

/** A quick fix of a problem. */
export interface ProblemFix {
  /** Unique among those of the problem. */
  readonly id: string;
  readonly title: string;
  /** It is certainly intended. */
  readonly preferred?: boolean;
}

export interface RelationshipView {
  /** Unique in the graph, and stable while other text changes: the effective name, else the position. */
  readonly id: string;
  readonly name: string;
  /** Ids of cards; absent when the end is none of them. */
  readonly source?: string;
  readonly target?: string;
  /** The join in one line, such as `problem_id = sys_id`. */
  readonly label: string;
  readonly crossTable?: string;
  /** The data source of the cross table; only in a graph of several. */
  readonly crossTableSource?: string;
  /** The names of the relationships that it follows, where it is a path. */
  readonly steps?: readonly string[];
  /** Why it is a draft, absent when configured. */
  readonly draft?: UnfinishedView;
  /** Errors and warnings, the worst first; absent without any, and until they are known. */
  readonly problems?: readonly ProblemView[];
  /** Counts of the last import. */
  readonly imported?: Omit<RelationshipCounts, 'name'>;
  /** Set by a canvas that shows a comparison. */
  readonly change?: EntryChange;
  /** All fields that its dialog edits, as in the file. */
  readonly values: RelationshipValues;
  readonly range: TextRange;
  /** Line range of the relationship. */
  readonly extent: TextRange;
}
