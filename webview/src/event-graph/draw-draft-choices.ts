import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { DraftChoiceView, DraftChoicesView } from '../../../protocol/event-graph.ts';
import type { DraftRole } from '../../../protocol/first-draft.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { EventGraphActions } from './event-graph-state.ts';

/** What was decided in the draft of the graph: each choice can be changed, and the map follows. */
export function drawDraftChoices(
  { file, choices, canUndo }: DraftChoicesView,
  isBusy: boolean,
  actions: EventGraphActions,
): TemplateResult | typeof nothing {
  if (choices.length === 0) return nothing;
  return html`<div class="slice draft-choices" role="group" aria-label=${t('Choices of the draft')} aria-busy=${isBusy}>
    ${icon('wand')}
    <p>${t('Drafted from {0}:', file)}</p>
    ${choices.map((choice, index) => drawChoice(choice, index, isBusy, actions))}
    <span class="space"></span>
    ${
      canUndo
        ? button(t('Undo'), () => actions.changeDraftChoice(), {
            appearance: 'small',
            disabled: isBusy,
            title: t('Take back the last change of a choice'),
          })
        : nothing
    }
    ${button(t('Open Text'), actions.openText, { appearance: 'small' })}
    ${button(icon('close'), actions.dismissDraftChoices, {
      appearance: 'icon',
      title: t('Close; Show Choices of the Draft in the command palette brings it back'),
      label: t('Close'),
    })}
  </div>`;
}

/** Choices are disabled while one is changed, and lose the focus to the page. @param id of the changed one */
export function refocusDraftChoice(id: string): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`.draft-choices select${id === '' ? '' : `#${id}`}`)?.focus();
}

function drawChoice(
  { dataObject, role, columns, reason, others }: DraftChoiceView,
  index: number,
  isBusy: boolean,
  { changeDraftChoice }: EventGraphActions,
): TemplateResult {
  const shown = columns.join(', ');
  return html`<label title=${t('Chosen because it {0}', reason)}
    >${labels[role]}
    <select
      class="input"
      id=${`draft-choice-${index}`}
      ?disabled=${isBusy}
      @change=${({ target }: Event) =>
        changeDraftChoice({ dataObject, role, columns: [(target as HTMLSelectElement).value] })}
    >
      ${[shown, ...others].map((name) => html`<option value=${name} .selected=${live(name === shown)}>${name}</option>`)}
    </select></label
  >`;
}

const labels: Partial<Readonly<Record<DraftRole, string>>> = {
  case: t('Case'),
  activity: t('Activity'),
  time: t('Time'),
  key: t('Key'),
};
