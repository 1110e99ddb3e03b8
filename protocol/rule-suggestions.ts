import type { suggestedRule } from './shapes/canvas-value-shapes.ts';
import type { Checked } from './shapes/shape.ts';

export type SuggestedRule = Checked<typeof suggestedRule>;

export type SuggestionKind = 'activity' | 'order' | 'deadline' | 'relationship';

/** A rule that the imported graph keeps, or nearly, with the numbers of a judgement by it. */
export interface RuleSuggestion {
  readonly kind: SuggestionKind;
  readonly rule: SuggestedRule;
  /** How many it concerns. */
  readonly concerned: number;
  readonly broken: number;
  readonly pending: number;
  /** kept / (kept + broken) */
  readonly share: number;
  /** The number of entities that the rule applies to: those with its first activity, else all. */
  readonly support: number;
}
