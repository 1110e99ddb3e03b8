import type { JsonObject } from './json-value.ts';

/** The graph after an intent and its new entry; or a message for the user. */
export type IntentOutcome =
  { readonly graph: JsonObject; readonly select?: string; readonly entry?: EntryPlace } | { readonly refusal: string };

/** Position of the intent's entry. */
export interface EntryPlace {
  readonly list: 'elements' | 'entities' | 'relationships';
  readonly index: number;
}
