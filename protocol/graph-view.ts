import type { ElementValues, RelationshipValues } from './canvas-intents.ts';
import type { TextRange } from './query-results.ts';

/** What the canvas draws: one entity graph, reduced to the visible parts. Names are those of the file. */
export interface GraphView {
  readonly uri: string;
  /** Version of the document. */
  readonly version: number;
  readonly name: string;
  readonly dataSource?: string;
  /** The selected data objects. */
  readonly dataObjects: readonly string[];
  readonly elements: readonly ElementView[];
  readonly relationships: readonly RelationshipView[];
  /** Set while the text is unreadable; the canvas keeps the last valid drawing. */
  readonly syntaxError?: { readonly message: string; readonly range: TextRange };
}

export interface ElementView {
  /**
   * Unique in the graph, and stable while other text changes: derived from the activity name, else from the position.
   */
  readonly id: string;
  readonly activityName?: string;
  readonly dataObject?: string;
  readonly startTimestamp?: string;
  readonly changeTimestamp?: string;
  readonly properties: readonly string[];
  readonly allProperties: boolean;
  /** Why it is unconfigured, absent when configured. */
  readonly unconfigured?: UnfinishedView;
  readonly processContext?: string;
  /** All fields that its dialog edits, as in the file. */
  readonly values: ElementValues;
  readonly range: TextRange;
  /** Line range of the element. */
  readonly extent: TextRange;
}

/** Why an entry is unconfigured, with a remedy. */
export interface UnfinishedView {
  /** The diagnostic message, with the name of the entry. */
  readonly message: string;
  /** What is wrong, and what to do: a complete sentence each, without the name. */
  readonly problem: string;
  readonly remedy: string;
}

export interface RelationshipView {
  /** Unique in the graph, and stable while other text changes: the effective name, else the position. */
  readonly id: string;
  readonly name: string;
  /** Ids of element views; absent when the end is no element. */
  readonly source?: string;
  readonly target?: string;
  /** An end is an entry of `entities`, which the canvas does not show. */
  readonly endsAtMasterData?: true;
  /** The join in one line, such as `problem_id = sys_id`. */
  readonly label: string;
  readonly crossTable?: string;
  /** The names of the relationships that it follows, where it is a path. */
  readonly steps?: readonly string[];
  /** Why it is a draft, absent when configured. */
  readonly draft?: UnfinishedView;
  /** All fields that its dialog edits, as in the file. */
  readonly values: RelationshipValues;
  readonly range: TextRange;
  /** Line range of the relationship. */
  readonly extent: TextRange;
}
