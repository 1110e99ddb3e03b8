import {
  type ChangeKind,
  type ChangePart,
  type ChangedRows,
  type GraphChanges,
  changeParts,
  kindsOfPart,
} from './graph-changes.ts';
import type { SchemaChange } from './graph-diff.ts';
import type { GraphTotals } from './import-progress.ts';
import type { Failure } from './query-results.ts';

/** The text with which a text of an entity graph is compared. */
export interface EffectBase {
  readonly kind: 'last' | 'file' | 'commit';
  /** As it was named: `last`, a path, or a commit. */
  readonly name: string;
  /** Of a commit: its hash. */
  readonly commit?: string;
  /** Absolute path of the file; of a commit: where the file was then. */
  readonly path: string;
  /** ISO 8601: of the import or the commit, or when the file was written. */
  readonly time?: string;
}

/** What a text of an entity graph does, compared with another text over the same data. */
export interface GraphEffect {
  /** Absolute path. */
  readonly file: string;
  readonly base: EffectBase;
  /** `new`: the base does not have the graph. `same text`: nothing was read. `broken base`: only in `ci`. */
  readonly state: 'compared' | 'same text' | 'new' | 'broken base';
  /** Why the base cannot be built, and the numbers of the graph as it is now. */
  readonly brokenBase?: { readonly failure: Failure; readonly totals: GraphTotals };
  /** Absent unless compared. */
  readonly changes?: GraphChanges;
  /** Added, removed and otherwise typed properties. */
  readonly schema?: readonly SchemaChange[];
  /** Which edits of the text cause the changes; absent unless compared, or if it was not asked for. */
  readonly attribution?: EffectAttribution;
  /** On request: rows behind the numbers. */
  readonly rows?: readonly ChangedRows[];
  /** The conditions of `--fail-on`. */
  readonly conditions?: readonly EffectCondition[];
}

/** A condition over the numbers of a comparison. */
export interface EffectCondition {
  /** As it was written. */
  readonly condition: string;
  /** The number, or the percentage; null for a percentage of nothing, and with an error. */
  readonly value: number | null;
  readonly isMet: boolean;
  /** Why it cannot be evaluated, such as a name that neither graph has. */
  readonly error?: string;
}

/** The changes, taken apart by the edits that cause them (docs/semantics.md#205-which-edit-did-it). */
export interface EffectAttribution {
  /** What each edit does alone, in the order of the text; edits that cannot be applied alone are one part. */
  readonly parts: readonly EffectPart[];
  /** What only several parts do together: the total less the sum of the parts, which may be negative. */
  readonly together: readonly EffectDelta[];
  /** Edits that change nothing, comments and layout included. */
  readonly withoutEffect: readonly EffectEdit[];
  /** Why the changes are not attributed; all lists are then empty. */
  readonly refusal?: string;
}

/** Edits that are applied together, and what they change. */
export interface EffectPart {
  readonly edits: readonly EffectEdit[];
  /** The numbers that are not 0. */
  readonly deltas: readonly EffectDelta[];
  /** Added, removed and otherwise typed properties. */
  readonly schema: readonly SchemaChange[];
}

/** An edit of the meaning of a text. */
export interface EffectEdit {
  /** `order`: of the entries of a section; `layout`: comments and layout of the text. */
  readonly kind: 'new' | 'gone' | 'changed' | 'order' | 'layout';
  /** The key at the root of the file, such as `elements`; absent for `layout`. */
  readonly section?: string;
  /** The name of the entry, in the new text if it has it. */
  readonly entry?: string;
  /** 0-based place of the entry in its section of the new text; absent for entries that are gone. */
  readonly index?: number;
  /** The key of the entry; absent for a whole entry. */
  readonly field?: string;
  /** In words, such as `Place Order · where`. */
  readonly title: string;
}

/** One number of the comparison: as in `changes`, but it may be negative. */
export interface EffectDelta {
  readonly part: ChangePart;
  readonly name: string;
  readonly kind: ChangeKind;
  readonly count: number;
}

/** An entry of a text, by the key of its section at the root of the file. */
export interface EntryName {
  readonly section: string;
  readonly name: string;
}

/** The numbers that an entry of a section has itself. */
export const sectionsOfPart: Partial<Readonly<Record<ChangePart, string>>> = {
  events: 'elements',
  entries: 'entities',
  versions: 'entities',
  relations: 'relationships',
  rules: 'rules',
  measures: 'measures',
};

/** The numbers of a comparison that are not 0. */
export function deltasOf(changes: GraphChanges): readonly EffectDelta[] {
  return changeParts.flatMap((part) =>
    changes[part].flatMap((change) =>
      kindsOfPart[part].flatMap((kind: ChangeKind) => {
        const count = change[kind] ?? 0;
        return count === 0 ? [] : [{ part, name: change.name, kind, count }];
      }),
    ),
  );
}
