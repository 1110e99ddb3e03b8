import type { ImportNews, PlannedImport } from '../../../protocol/import-page.ts';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import type { Ask } from '../request-channel.ts';

/** State of the page *Import*; never saved, because the graph and its import change meanwhile. */
export interface ImportPageState {
  readonly plan: PlanState;
  /** Absent until the extension has sent it. */
  readonly news?: ImportNews;
}

export type PlanState =
  | { readonly kind: 'unknown' }
  /** `since` in the clock of `performance.now()`; `step` is the current step. */
  | { readonly kind: 'loading'; readonly since: number; readonly step?: string }
  | { readonly kind: 'known'; readonly plan: PlannedImport }
  | { readonly kind: 'failed'; readonly error: Failure };

/** The part of the canvas state that decides whether a plan is needed. */
interface FollowedState {
  readonly step: string;
  readonly view?: { readonly version: number } | undefined;
}

export interface ImportReader {
  /** Called after each change of the state: asks for the plan while the page is shown, again for each version of the text. */
  follow(state: FollowedState): void;
  cancelPlan(): void;
  /** On request of the user, who may be asked for a secret. */
  planAgain(): void;
}

/** Delay after a change of the text before the plan is requested again. */
const typingDelayMs = 500;

export function createImportReader({
  ask,
  becomePlan,
}: {
  readonly ask: Ask;
  becomePlan(plan: PlanState): void;
}): ImportReader {
  let isShown = false;
  let plannedVersion: number | undefined;
  let running: AbortController | undefined;
  const replanning = createDebouncer(typingDelayMs, () => void plan());

  /** Prompts for secrets only on request of the user, not when the page is shown. */
  async function plan(prompt = false): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const since = performance.now();
    becomePlan({ kind: 'loading', since });
    const outcome = await ask('importPlan', prompt ? { prompt } : {}, mine.signal, (step) => {
      if (running === mine) becomePlan({ kind: 'loading', since, step });
    });
    if (running !== mine) return;
    running = undefined;
    becomePlan(outcome.ok ? { kind: 'known', plan: outcome.value } : { kind: 'failed', error: outcome.error });
  }

  return {
    follow({ step, view }) {
      const isNow = step === 'import' && view !== undefined;
      if (isNow !== isShown) {
        isShown = isNow;
        void ask('importPage', { isShown });
        if (!isShown) {
          plannedVersion = undefined;
          running?.abort();
          running = undefined;
        }
      }
      if (!isShown || view?.version === plannedVersion) return;
      const isFirst = plannedVersion === undefined;
      plannedVersion = view?.version;
      if (isFirst) void plan();
      else replanning.schedule();
    },
    cancelPlan: () => running?.abort(),
    planAgain: () => void plan(true),
  };
}
