import type { EffectBase, GraphEffect } from './graph-effect.ts';
import type { CardView, EntryChange, RelationshipView } from './graph-view.ts';

/** What a canvas shows of a comparison of two texts. Entries that it does not name are equal. */
export interface ComparedCanvas {
  readonly base: EffectBase;
  readonly state: GraphEffect['state'];
  /** ISO 8601, UTC: when the texts were compared. */
  readonly compared: string;
  /** By id. */
  readonly elements: Readonly<Record<string, EntryChange>>;
  readonly relationships: Readonly<Record<string, EntryChange>>;
  /**
   * Entries that only the base has, with their changes. Their ids differ from those of all entries of the file, and the
   * ends of relationships are ids of the drawing.
   */
  readonly goneElements: readonly GoneEntry<CardView>[];
  readonly goneRelationships: readonly GoneEntry<RelationshipView>[];
  /** All numbers of the graph, in the words of the code lenses. */
  readonly total: string;
}

export interface GoneEntry<View> {
  readonly view: View;
  readonly change: EntryChange;
}

/** A comparison for code lenses and the canvas. */
export interface TextComparison {
  readonly effect: GraphEffect;
  readonly canvas: ComparedCanvas;
}

const goneMark = 'gone\n';

/** The id of an entry that is drawn although the file does not have it any more. */
export function goneId(id: string): string {
  return goneMark + id;
}

/** Whether an id is one of `goneId`. */
export function isGoneId(id: string | undefined): boolean {
  return id?.startsWith(goneMark) ?? false;
}
