import { type TemplateResult, html } from 'lit';
import type { PathStepValues } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { dropdown, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';

/** The relationships that a path follows: a name and a direction each. */
export function pathSteps(
  steps: readonly PathStepValues[],
  problem: string | undefined,
  onChange: (steps: readonly PathStepValues[] | undefined) => void,
): TemplateResult {
  return html`<fieldset class="path">
    <legend class="field-label">${t('Path')}</legend>
    <p class="muted">${t('Other relationships of this file, followed one after the other from source to target.')}</p>
    <ul>
      ${steps.map((step, index) =>
        drawStep(step, index, {
          onChange: (next) => onChange(steps.with(index, next)),
          onRemove: () => onChange(steps.length === 1 ? undefined : steps.toSpliced(index, 1)),
        }),
      )}
    </ul>
    <div class="row">
      ${button(html`${icon('add')} ${t('Step')}`, () => onChange([...steps, { relationship: '' }]), { label: t('Add Step'), id: 'add-step' })}
    </div>
    ${problem === undefined ? '' : html`<p class="field-problem">${problem}</p>`}
  </fieldset>`;
}

interface StepHands {
  onChange(step: PathStepValues): void;
  onRemove(): void;
}

function drawStep(step: PathStepValues, index: number, { onChange, onRemove }: StepHands): TemplateResult {
  const number = index + 1;
  const directions = [
    { name: t('as it fits'), value: undefined },
    { name: t('forwards'), value: false },
    { name: t('reverse'), value: true },
  ] as const;
  const chosen = directions.find(({ value }) => value === step.reverse) ?? directions[0];
  return html`<li class="row" data-step=${index}>
    ${textField(t('Relationship of step {0}', number), step.relationship, (relationship) => onChange({ ...step, relationship }), { id: `step-${index}` })}
    ${dropdown(
      t('Direction of step {0}', number),
      chosen.name,
      directions.map(({ name }) => name),
      (name) => {
        const reverse = directions.find((each) => each.name === name)?.value;
        onChange({ relationship: step.relationship, ...(reverse === undefined ? {} : { reverse }) });
      },
    )}
    ${button(icon('trash'), onRemove, { appearance: 'icon', className: 'trash', title: t('Remove'), label: t('Remove step {0}', number) })}
  </li>`;
}
