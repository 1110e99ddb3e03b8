import type { StoredTimeForm } from '../dialects/stored-times.ts';

/** The content of a first graph, before it is written as YAML. */
export interface DraftModel {
  readonly elements: readonly DraftElement[];
  readonly entities: readonly DraftEntity[];
  readonly relationships: readonly DraftRelationship[];
}

/** Rows of a data object that are events. */
export interface DraftElement {
  readonly activityName: string;
  readonly dataObject: string;
  /** The data object when absent. */
  readonly entityType?: string;
  /** The primary key when absent. */
  readonly key?: readonly string[] | undefined;
  readonly start: DraftTime;
  readonly change?: WrittenTime | undefined;
  readonly end?: WrittenTime | undefined;
  readonly lifecycle?: DraftLifecycle | undefined;
  readonly sequence?: string | undefined;
  readonly activityColumn?: string | undefined;
  /** Other names for its texts. */
  readonly activityNames?: Readonly<Record<string, string>> | undefined;
  readonly properties: 'all' | readonly DraftProperty[];
  /** Other things that the event of a row belongs to. */
  readonly objects: readonly DraftObject[];
  /** The events of a row have no entity of their own. */
  readonly ownEntity?: false;
  readonly where?: string | undefined;
  /** Rows with one of these values of the column are left out. */
  readonly leftOut?: { readonly column: string; readonly values: readonly string[] } | undefined;
  /** The reasons for the values of the element, by field. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The column that says which rows are starts and ends, with its values for both. */
export interface DraftLifecycle {
  readonly column: string;
  readonly start: readonly string[];
  readonly end: readonly string[];
}

/** A column, or a column with a different name for the property. */
export type DraftProperty = string | { readonly column: string; readonly name: string };

export interface DraftTime extends WrittenTime {
  /** The time of day of `column`, which is a date. */
  readonly timeOfDay?: WrittenTime | undefined;
}

export interface WrittenTime {
  readonly column: string;
  /** Format of its texts or numbers in the notation of strptime; absent for a column with a type of times. */
  readonly format?: string | undefined;
  /** The form of its numbers or texts, such as seconds since 1970. */
  readonly stored?: StoredTimeForm | undefined;
}

export interface DraftObject {
  readonly entityType: string;
  readonly key: string;
  readonly separator?: string | undefined;
  readonly isList?: boolean | undefined;
  /** The entity type when absent. */
  readonly qualifier?: string | undefined;
  readonly reason?: string;
}

/** Rows of a data object that are things without events of their own. */
export interface DraftEntity {
  readonly name: string;
  /** The name when absent. */
  readonly entityType?: string;
  readonly dataObject: string;
  readonly key?: readonly string[] | undefined;
  /** Since when the values of a row hold. */
  readonly validFrom?: string | undefined;
  readonly properties: 'all' | readonly DraftProperty[];
  readonly where?: string | undefined;
  readonly reason: string;
}

export interface DraftRelationship {
  readonly name: string;
  /** Names of elements or entities. */
  readonly source: string;
  readonly target: string;
  readonly mappings: readonly DraftMapping[];
  readonly crossTable?: {
    readonly dataObject: string;
    readonly sourceMappings: readonly { readonly source: string; readonly cross: string }[];
    readonly targetMappings: readonly { readonly cross: string; readonly target: string }[];
  };
  readonly correlate?: 'source' | 'none';
}

/** Two columns that are equal, or SQL. */
type DraftMapping = { readonly source: string; readonly target: string } | { readonly expression: string };
