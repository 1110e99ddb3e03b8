import type { nothing } from 'lit';
import { type TemplateResult } from 'lit';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type { Failure, QueryTarget } from '../../../protocol/query-results.ts';
import type { CanvasRequests } from '../../../protocol/requests/canvas-requests.ts';
import type { Ask } from '../request-channel.ts';
import { t } from '../ui/translate.ts';
import { type PreviewHands, drawPreview } from './draw-preview.ts';
import type { CountedJoin, PreviewState } from './preview-state.ts';

/** A problem that a run of the query found, at a field. */
export interface FieldProblem {
  readonly message: string;
  readonly excerpt: string;
}

/** Test Query and Show Query for the values of a dialog. */
export interface QueryPreview {
  /** For a relationship, also counts how its ends match. */
  test(target: QueryTarget, draft: CanvasIntent): Promise<void>;
  show(target: QueryTarget, draft: CanvasIntent): Promise<void>;
  cancel(): void;
  /** Call this when values change: problems of the last run no longer apply to their fields. */
  edited(): void;
  readonly isShown: boolean;
  /** The problem of a field, until the values change. */
  problemAt(property: string): FieldProblem | undefined;
  /** Why the values cannot be confirmed: their query was rejected. */
  readonly blocking: string | undefined;
  draw(): TemplateResult | typeof nothing;
}

// eslint-disable-next-line max-lines-per-function -- Test, join and shown query replace each other in one preview, with one running request.
export function createQueryPreview(
  ask: Ask,
  update: () => void,
  hands: Omit<PreviewHands, 'cancel' | 'setSecret'>,
  onFailure: (error: Failure) => void,
): QueryPreview {
  let state: PreviewState = { kind: 'none' };
  let running: AbortController | undefined;
  /** Whether the values are those of the last run. */
  let isCurrent = false;
  /** The last run. */
  let again: (() => Promise<void>) | undefined;

  function become(next: PreviewState): void {
    state = next;
    update();
  }

  /** @param work reports its steps. */
  async function run(
    work: (signal: AbortSignal, onStep: (step: string) => void) => Promise<PreviewState>,
  ): Promise<AbortController | undefined> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    isCurrent = true;
    become({ kind: 'running', since: performance.now() });
    const next = await work(mine.signal, (step) => {
      if (running === mine && state.kind === 'running') become({ ...state, step });
    });
    if (running !== mine) return undefined;
    become(next);
    if (next.kind === 'failure' && isCurrent) onFailure(next.error);
    return mine;
  }

  function end(mine: AbortController | undefined): void {
    if (running === mine) running = undefined;
  }

  async function testJoin(name: string, draft: CanvasIntent): Promise<void> {
    const mine = await run(async (signal, onStep) => {
      const outcome = await ask('previewJoin', { name, draft }, signal, onStep);
      if (!outcome.ok) return { kind: 'failure', error: outcome.error };
      const { sides, counts, ...result } = outcome.value;
      const counted: CountedJoin = counts
        ? { kind: 'counted', value: counts }
        : { kind: 'counting', since: performance.now() };
      return { kind: 'result', result, sides, counts: sides.length > 0 ? counted : undefined };
    });
    if (mine && state.kind === 'result' && state.counts?.kind === 'counting') {
      const counted = await ask('countJoin', { name, draft }, mine.signal);
      if (running === mine) become({ ...state, counts: countsOf(counted) });
    }
    end(mine);
  }

  async function setSecret(): Promise<void> {
    const failed = state;
    const entered = await ask('setSecret', {});
    // The values may have been edited or run meanwhile.
    if (entered.ok && entered.value && state === failed && isCurrent) await again?.();
  }

  async function testRows(target: QueryTarget, draft: CanvasIntent): Promise<void> {
    const mine = await run(async (signal, onStep) => {
      const outcome = await ask('testQuery', { target, draft }, signal, onStep);
      return outcome.ok ? { kind: 'result', result: outcome.value } : { kind: 'failure', error: outcome.error };
    });
    end(mine);
  }

  async function show(target: QueryTarget, draft: CanvasIntent): Promise<void> {
    const mine = await run(async (signal, onStep) => {
      const outcome = await ask('showQuery', { target, draft }, signal, onStep);
      return outcome.ok ? { kind: 'none' } : { kind: 'failure', error: outcome.error };
    });
    end(mine);
  }

  const error = (): Failure | undefined => (state.kind === 'failure' && isCurrent ? state.error : undefined);

  return {
    test(target, draft) {
      again = () => (target.kind === 'relationship' ? testJoin(target.name, draft) : testRows(target, draft));
      return again();
    },
    show(target, draft) {
      again = () => show(target, draft);
      return again();
    },
    cancel() {
      running?.abort();
      running = undefined;
      become({ kind: 'none' });
    },
    edited: () => void (isCurrent = false),
    get isShown() {
      return state.kind !== 'none';
    },
    problemAt(property) {
      const found = error();
      if (found?.property === undefined || found.property === '') return undefined;
      const isHere = found.property === property || found.property.startsWith(`${property}.`);
      return isHere ? { message: found.message, excerpt: found.excerpt ?? '' } : undefined;
    },
    get blocking() {
      const found = error();
      return found?.query ? t('The source rejects this query: {0}', found.message) : undefined;
    },
    draw: () => drawPreview(state, { ...hands, cancel: () => running?.abort(), setSecret: () => void setSecret() }),
  };
}

function countsOf(outcome: CanvasRequests['countJoin']['result']): CountedJoin {
  if (!outcome.ok) return { kind: 'uncounted', reason: t('Matches were not counted: {0}', outcome.error.message) };
  if (outcome.value) return { kind: 'counted', value: outcome.value };
  return {
    kind: 'uncounted',
    reason: t('Matches are not counted here, because all records of both ends would have to be fetched.'),
  };
}
