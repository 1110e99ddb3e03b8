import type { JsonObject } from './json-value.ts';

/** The graph after an intent, and what it made; or why it cannot be, in a sentence for the user. */
export type IntentOutcome =
  { readonly graph: JsonObject; readonly select?: string; readonly entry?: EntryPlace } | { readonly refusal: string };

/** Where the entry stands that an intent is about. */
export interface EntryPlace {
  readonly list: 'elements' | 'relationships';
  readonly index: number;
}
