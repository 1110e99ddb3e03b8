import type { ElementValues, RelationshipValues } from './canvas-intents.ts';
import type { TextRange } from './query-results.ts';

/** What the canvas draws: one entity graph, reduced to what is seen. Names repeat those of the file. */
export interface GraphView {
  readonly uri: string;
  /** The document version it was made from. */
  readonly version: number;
  readonly name: string;
  readonly dataSource?: string;
  /** Selected Data Objects. */
  readonly dataObjects: readonly string[];
  readonly elements: readonly ElementView[];
  readonly relationships: readonly RelationshipView[];
  /** Set while the text does not parse; the last good picture stays. */
  readonly syntaxError?: { readonly message: string; readonly range: TextRange };
}

export interface ElementView {
  /** Unique in the graph and stable while the text around it changes: derived from the activity name, else its place. */
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
  /** All that its dialog edits, as the file says it. */
  readonly values: ElementValues;
  readonly range: TextRange;
  /** All lines of the element. */
  readonly extent: TextRange;
}

/** Why an entry is not configured yet, and what to do. */
export interface UnfinishedView {
  /** The diagnostic's message, which names the entry. */
  readonly message: string;
  /** The same without the name, as sentences of their own. */
  readonly reason: string;
}

export interface RelationshipView {
  /** Unique in the graph and stable while the text around it changes: its effective name, else its place. */
  readonly id: string;
  readonly name: string;
  /** Ids of element views; absent when the end names no element. */
  readonly source?: string;
  readonly target?: string;
  /** The join in one line, such as `problem_id = sys_id`. */
  readonly label: string;
  readonly crossTable?: string;
  /** The names of the relationships that it follows, where it is a path. */
  readonly steps?: readonly string[];
  /** Why it is a draft, absent when configured. */
  readonly draft?: UnfinishedView;
  /** All that its dialog edits, as the file says it. */
  readonly values: RelationshipValues;
  readonly range: TextRange;
  /** All lines of the relationship. */
  readonly extent: TextRange;
}
