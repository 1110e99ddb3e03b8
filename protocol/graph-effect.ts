import type { ChangedRows, GraphChanges } from './graph-changes.ts';
import type { SchemaChange } from './graph-diff.ts';

/** The text with which a text of an entity graph is compared. */
export interface EffectBase {
  readonly kind: 'last' | 'file' | 'commit';
  /** As it was named: `last`, a path, or a commit. */
  readonly name: string;
  /** Of a commit: its hash. */
  readonly commit?: string;
  /** Absolute path of the file; of a commit: where the file was then. */
  readonly path: string;
}

/** What a text of an entity graph does, compared with another text over the same data. */
export interface GraphEffect {
  /** Absolute path. */
  readonly file: string;
  readonly base: EffectBase;
  /** `new`: the base does not have the graph. `same text`: nothing was read. */
  readonly state: 'compared' | 'same text' | 'new';
  /** Absent unless compared. */
  readonly changes?: GraphChanges;
  /** Added, removed and otherwise typed properties. */
  readonly schema?: readonly SchemaChange[];
  /** On request: rows behind the numbers. */
  readonly rows?: readonly ChangedRows[];
  /** The conditions of `--fail-on`. */
  readonly conditions?: readonly EffectCondition[];
}

/** A condition over the numbers of a comparison. */
export interface EffectCondition {
  /** As it was written. */
  readonly condition: string;
  /** The number, or the percentage; null for a percentage of nothing. */
  readonly value: number | null;
  readonly isMet: boolean;
}
