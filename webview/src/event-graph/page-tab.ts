import type { TemplateResult } from 'lit';
import type { Outcome } from '../../../protocol/query-results.ts';
import type { EventGraphPageRequests } from '../../../protocol/requests/event-graph-requests.ts';
import type { AskOf } from '../request-channel.ts';
import type { EventGraphActions, EventGraphState, Loaded } from './event-graph-state.ts';

type StateKey = keyof EventGraphState;

/** The parts of the state that are loaded. */
export type LoadedKey = {
  [K in StateKey]-?: NonNullable<EventGraphState[K]> extends Loaded<unknown> ? K : never;
}[StateKey];
export type ValueOf<K extends LoadedKey> = Extract<NonNullable<EventGraphState[K]>, { kind: 'known' }>['value'];

/** A tab of the page. */
export interface PageTab {
  readonly title: string;
  /** Parts of the state that are dropped when the graph may have changed. */
  readonly loads: readonly StateKey[];
  /** Choices of the user that survive hiding the page. */
  readonly keeps?: readonly StateKey[];
  /** Choices about entities of one type, which another type does not keep. */
  readonly ofType?: readonly StateKey[];
  /** Why the filter does not apply, as a sentence. Of the other tabs it is shown above. */
  readonly unfiltered?: string;
  /** Numbers of activities distinguish start and change events where the user has chosen that. */
  readonly isByLifecycle?: true;
  /** Loads what is missing; called when the tab is shown. */
  load?(): void;
  /** Loads again what depends on the filter; called for hidden tabs as well. */
  filterChanged?(): void;
  /** The page has another size; called for the shown tab. */
  resized?(): void;
  draw(state: EventGraphState, actions: EventGraphActions): TemplateResult;
}

/** A tab with its part of the user actions. */
export interface ActingTab<Actions extends Partial<EventGraphActions>> extends PageTab {
  readonly actions: Actions;
}

/** Requests to the extension that give nothing. */
export type PageAction =
  | 'createTest'
  | 'acceptFinding'
  | 'mendFinding'
  | 'openNumber'
  | 'openChangedRows'
  | 'openSourceRows'
  | 'saveImage'
  | 'saveRows'
  | 'copySnippet'
  | 'openSqlConsole'
  | 'changeDraftChoice'
  | 'dismissDraftChoices'
  | 'openText';

/** The page, for its tabs. */
export interface EventGraphPage {
  state(): EventGraphState;
  update(next: EventGraphState): void;
  /** Updates the state, and stores the part that survives hiding the page. */
  keep(next: EventGraphState): void;
  readonly ask: AskOf<EventGraphPageRequests>;
  /** Loads a part of the state; a newer request cancels the previous one. */
  load<K extends LoadedKey>(key: K, ask: (signal: AbortSignal) => Promise<Outcome<ValueOf<K>>>): Promise<void>;
  /** Cancels loading a part of the state, and removes it. */
  drop(key: LoadedKey): void;
  /** Asks the extension to do something; a failure is shown until it is dismissed or the next action succeeds. */
  run<A extends PageAction>(action: A, params: EventGraphPageRequests[A]['params']): Promise<void>;
  /** The actions of all tabs. */
  actions(): EventGraphActions;
  /** The page was not only hidden before. */
  readonly isNew: boolean;
}
