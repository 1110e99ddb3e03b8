import type { MeasureNumbers, MeasureResult } from './measures.ts';

/** What can differ between two graphs, in the order in which it is shown. */
export const changeParts = [
  'entities',
  'events',
  'values',
  'entries',
  'versions',
  'correlations',
  'relations',
  'paths',
  'variants',
  'rules',
  'measures',
  'expectations',
] as const;

export type ChangePart = (typeof changeParts)[number];

/** How one thing can differ (docs/semantics.md#202-what-is-counted). */
export const changeKinds = ['new', 'gone', 'moved', 'changed', 'broken', 'mended'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** The kinds of changes that each part can have. */
export const kindsOfPart = {
  entities: ['new', 'gone'],
  events: ['new', 'gone', 'moved', 'changed'],
  values: ['changed'],
  entries: ['new', 'gone', 'changed'],
  versions: ['new', 'gone', 'changed'],
  correlations: ['new', 'gone'],
  relations: ['new', 'gone'],
  paths: ['new', 'gone'],
  variants: ['new', 'gone', 'changed'],
  rules: ['new', 'gone', 'broken', 'mended'],
  measures: ['broken', 'mended'],
  expectations: ['broken', 'mended'],
} as const satisfies Readonly<Record<ChangePart, readonly ChangeKind[]>>;

/** Numbers of one part. Kinds that the part cannot have are absent. */
export type ChangeCounts = { readonly before: number; readonly after: number } & {
  readonly [Kind in ChangeKind]?: number;
};

/** Numbers of one element, entity type, relationship, rule and so on. */
export type NamedChange = ChangeCounts & {
  readonly name: string;
  /** Of rules: whether it holds, and the numbers of its verdicts; absent where the graph does not have the rule. */
  readonly verdicts?: { readonly before?: RuleNumbers; readonly after?: RuleNumbers };
  /** Of relations: how the entities of both ends are matched; absent where the graph does not have the relationship. */
  readonly matches?: { readonly before?: RelationshipMatches; readonly after?: RelationshipMatches };
  /** Of measures: their numbers; absent where the graph does not have the measure. */
  readonly measured?: { readonly before?: MeasuredNumbers; readonly after?: MeasuredNumbers };
};

/** How the entities of the ends of a relationship are matched. */
export interface RelationshipMatches {
  readonly source: EndMatches;
  readonly target: EndMatches;
}

export interface EndMatches {
  /** The element, or the entry of `entities`; `source` or `target` if it is not known. */
  readonly name: string;
  /** Entities that are in a pair. */
  readonly matched: number;
  /** The other ones; null for a part of a graph. */
  readonly unmatched: number | null;
  /** The most pairs of one entity. */
  readonly most: number;
}

/** The numbers of values of a measure. */
export const measureNumberNames = [
  'count',
  'missing',
  'sum',
  'mean',
  'min',
  'max',
  'median',
  'p90',
] as const satisfies readonly (keyof MeasureNumbers)[];

/** The numbers of a measure as an import found them. */
export interface MeasuredNumbers extends MeasureNumbers, Pick<MeasureResult, 'unit' | 'met'> {
  /** Why it could not be measured. */
  readonly error: string | null;
}

/** The numbers of a rule as an import judged it; those of a rule that could not be judged are 0. */
export interface RuleNumbers {
  readonly concerned: number;
  readonly kept: number;
  readonly broken: number;
  readonly pending: number;
  readonly undecided: number;
  readonly holds: boolean;
  /** Why it could not be judged. */
  readonly error: string | null;
}

/** Cases of one variant in both graphs. */
export interface VariantChange {
  readonly entityType: string;
  /** The first 100. */
  readonly activities: readonly string[];
  /** How many activities there are. */
  readonly events: number;
  readonly before: number;
  readonly after: number;
}

/** The differences of two graphs (docs/semantics.md#20-changes). */
export type GraphChanges = {
  /** What differs in each part, by name. */
  readonly [Part in ChangePart]: readonly NamedChange[];
} & {
  /** All numbers of each part, of what does not differ, too. */
  readonly totals: Readonly<Record<ChangePart, ChangeCounts>>;
  /** The variants that gained or lost most cases: the first 20. */
  readonly variantCases: readonly VariantChange[];
  /** How many variants gained or lost cases. */
  readonly differingVariants: number;
  /** Whether anything differs. */
  readonly changed: boolean;
};

/** The rows behind one number. */
export interface ChangedRows {
  readonly part: ChangePart;
  readonly kind: ChangeKind;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** There are more rows than listed. */
  readonly truncated: boolean;
}
