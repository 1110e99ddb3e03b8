import { type TemplateResult, html } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import type { CanvasState } from './canvas-state.ts';

interface StepItem {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly isCurrent: boolean;
  readonly isDone: boolean;
  go(): void;
}

/** The steps from data objects to an imported graph, with the current one; each can be reached at any time. */
export function drawSteps(state: CanvasState, view: GraphView, { actions }: CanvasHandlers): TemplateResult {
  const isChoosing = state.step === 'choose';
  const steps: readonly StepItem[] = [
    {
      id: 'step-choose',
      name: t('Data Objects'),
      isCurrent: isChoosing,
      isDone: view.dataObjects.length > 0,
      title: t('Choose the tables, files or endpoints that hold your records'),
      go: () => actions.goToStep('choose'),
    },
    {
      id: 'step-build',
      name: t('Elements and Relationships'),
      isCurrent: state.step === 'build',
      isDone: view.elements.length > 0 && view.elements.every(({ unconfigured }) => !unconfigured),
      title: t('Describe what happens to the records, when, and how they are related'),
      go: () => actions.goToStep('build'),
    },
    {
      id: 'step-import',
      name: t('Import'),
      isCurrent: state.step === 'import',
      isDone: view.imported !== undefined,
      title: t('Review the plan of an import, run it, and see the result'),
      go: () => actions.goToStep('import'),
    },
  ];
  return html`<nav class="steps" aria-label=${t('Steps')}>
    <ol>
      ${steps.map(
        ({ id, name, title, isCurrent, isDone, go }, index) =>
          html`<li>
            ${button(
              html`<span class="number" aria-hidden="true">${index + 1}</span> <span class="clip">${name}</span>`,
              go,
              {
                appearance: 'bare',
                className: `step ${isDone ? 'done' : ''}`,
                id,
                title,
                current: isCurrent,
              },
            )}
          </li>`,
      )}
    </ol>
  </nav>`;
}

export const stepsStyles = `
.steps { flex: none; border-bottom: 1px solid var(--eg-line); }
.steps ol { display: flex; margin: 0; padding: 0 8px; list-style: none; }
.steps li { display: flex; align-items: center; min-width: 0; }
.steps li + li::before { flex: none; padding: 0 4px; color: var(--eg-muted); content: '→'; }
.step { display: flex; align-items: center; gap: 6px; min-width: 0; height: 30px; padding: 0 6px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--eg-muted); font: inherit; white-space: nowrap; cursor: pointer; }
.step:hover { color: var(--eg-foreground); }
.step .number { flex: none; display: inline-flex; align-items: center; justify-content: center; width: 18px; height: 18px; border: 1px solid currentColor; border-radius: 50%; font-size: 11px; }
.step.done { color: var(--eg-foreground); }
.step[aria-current='true'] { border-bottom-color: var(--eg-selected); color: var(--eg-foreground); font-weight: 600; }
`;
