import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, LifecycleValues } from '../../../protocol/canvas-intents.ts';
import { combobox } from '../ui/combobox.ts';
import { textArea } from '../ui/controls.ts';
import { t } from '../ui/translate.ts';
import { columnChoices } from './column-choices.ts';
import { linesOf } from './lines-of.ts';

interface LifecycleOptions {
  readonly value: LifecycleValues | undefined;
  readonly columns: readonly ColumnView[];
  readonly problem: string | undefined;
  onChange(value: LifecycleValues | undefined): void;
}

/** Which rows start an activity, and which end it: a column and its values for both. */
export function lifecycleFields({ value, columns, problem, onChange }: LifecycleOptions): TemplateResult {
  const now = value ?? { start: [], end: [] };
  const change = (part: Partial<LifecycleValues>): void => {
    const { column, ...sides } = { ...now, ...part };
    const isEmpty = !column && sides.start.length === 0 && sides.end.length === 0;
    onChange(isEmpty ? undefined : { ...sides, ...(column ? { column } : {}) });
  };
  // The values of the column, where the source knows them.
  const known = columns.find(({ name }) => name === now.column)?.values?.map((each) => each.value);
  const side = (which: 'start' | 'end', label: string): TemplateResult =>
    textArea(t('{0} (one a line)', label), now[which].join('\n'), (text) => change({ [which]: linesOf(text) }), {
      id: `lifecycle-${which}`,
      ...(known && { placeholder: known.join(', ') }),
    });
  return html`<div class="fields">
    <p class="muted">
      ${t('For logs whose rows are starts and ends of activities: the column that says which, and its values for both.')}
    </p>
    <div class="columns">
      <div class="whole">
        ${combobox(t('Column of Starts and Ends'), now.column ?? '', columnChoices(columns), (column) => change({ column }), { id: 'lifecycle', placeholder: t('None: each row is an event of its own') })}
      </div>
      ${side('start', t('Values of Starts'))} ${side('end', t('Values of Ends'))}
    </div>
    ${problem === undefined ? nothing : html`<p class="field-problem">${problem}</p>`}
  </div>`;
}
