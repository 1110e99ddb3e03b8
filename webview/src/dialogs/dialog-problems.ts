import { type TemplateResult, html, nothing } from 'lit';
import type { IntentCheck, IntentProblem, SentencePart } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import { icon } from '../ui/icons.ts';
import type { Ask } from '../request-channel.ts';
import { t } from '../ui/translate.ts';

/** Debounce before entered values are validated. */
const debounceMs = 250;

/** Validates the values of a dialog while they are entered. */
export interface DialogCheck {
  /** Validates after the debounce. */
  changed(): void;
  /** Validates now; resolves when done. */
  now(): Promise<void>;
  /** The latest problem of a field or its children. */
  at(property: string): IntentProblem | undefined;
  readonly summary: readonly SentencePart[] | undefined;
  /** Why it cannot be confirmed, by the rules of the file. */
  readonly blocking: string | undefined;
  readonly problems: readonly IntentProblem[];
  stop(): void;
}

export function createDialogCheck(ask: Ask, intent: () => CanvasIntent | undefined, update: () => void): DialogCheck {
  let found: IntentCheck = { problems: [] };
  let refusal: string | undefined;
  const checking = createDebouncer(debounceMs, () => void check());
  let newest = 0;

  async function check(): Promise<void> {
    const wanted = intent();
    if (!wanted) return;
    newest += 1;
    const turn = newest;
    const outcome = await ask('checkIntent', { intent: wanted });
    if (turn !== newest) return;
    found = outcome.ok ? outcome.value : { problems: [] };
    refusal = outcome.ok ? undefined : outcome.error.message;
    update();
  }

  return {
    changed: () => checking.schedule(),
    now() {
      checking.cancel();
      return check();
    },
    at: (property) => found.problems.find((problem) => isBelow(problem.property, property)),
    get problems() {
      return found.problems;
    },
    get summary() {
      return found.summary;
    },
    get blocking() {
      return refusal ?? found.problems.find(({ severity }) => severity === 'error')?.message;
    },
    stop() {
      newest += 1;
      checking.cancel();
    },
  };
}

/** Whether a property is the other one or within it. */
export function isBelow(property: string, parent: string): boolean {
  return property === parent || property.startsWith(`${parent}.`);
}

/** Problems of fields that do not show their own. */
export function drawOtherProblems(
  problems: readonly IntentProblem[],
  shown: readonly string[],
): TemplateResult | typeof nothing {
  const others = problems.filter(({ property }) => !shown.some((parent) => isBelow(property, parent)));
  if (others.length === 0) return nothing;
  return html`<ul class="problems" aria-label=${t('Problems')}>
    ${others.map(
      ({ severity, message }) => html`<li>${icon(severity === 'error' ? 'error' : 'warning')} ${message}</li>`,
    )}
  </ul>`;
}

/** A sentence with its names in bold. */
export function drawSentence(parts: readonly SentencePart[]): readonly unknown[] {
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    return 'name' in part ? html`<strong>${part.name}</strong>` : html`<code>${part.code}</code>`;
  });
}
