import { type TemplateResult, html } from 'lit';
import type { ColumnView, ElementValues } from '../../../protocol/canvas-intents.ts';
import { combobox } from '../ui/combobox.ts';
import { sqlField } from '../ui/sql-field.ts';
import { t } from '../ui/translate.ts';
import { columnChoices } from './column-choices.ts';

export interface AdvancedSqlOptions {
  readonly values: ElementValues;
  readonly columns: readonly ColumnView[];
  /** The class of a field that conflicts with the file. */
  marked(key: keyof ElementValues): string;
  problemAt(property: string): { readonly message: string; readonly excerpt: string } | undefined;
  set(change: { readonly [K in keyof ElementValues]?: ElementValues[K] | undefined }): void;
}

/** Custom SQL of an element, and columns that few elements need. */
export function advancedSqlFields({ values, columns, marked, problemAt, set }: AdvancedSqlOptions): TemplateResult {
  const choices = columnChoices(columns);
  const time = (
    key: 'startExpression' | 'changeExpression',
    property: 'startTimestamp' | 'changeTimestamp',
    label: string,
  ): TemplateResult =>
    html`<div class=${marked(key)}>
      ${sqlField(label, values[key] ?? '', (expression) => set({ [key]: expression, [property]: undefined }), {
        id: key === 'startExpression' ? 'start-expression' : 'change-expression',
        rows: 1,
        placeholder: t('Computes the time, instead of a column'),
        problem: values[key] === undefined ? undefined : problemAt(property),
      })}
    </div>`;
  return html`
    <div class=${marked('joins')}>
      ${sqlField(t('Custom JOIN clauses'), values.joins ?? '', (joins) => set({ joins }), {
        id: 'joins',
        placeholder: `LEFT JOIN other ON other.id = ${values.dataObject ?? 'object'}.other_id`,
        problem: problemAt('joins'),
      })}
    </div>
    <div class=${marked('where')}>
      ${sqlField(t('WHERE filter'), values.where ?? '', (where) => set({ where }), {
        id: 'where',
        placeholder: `${values.dataObject ?? 'object'}.active = true`,
        problem: problemAt('where'),
      })}
    </div>
    ${time('startExpression', 'startTimestamp', t('Start Timestamp as SQL'))}
    ${time('changeExpression', 'changeTimestamp', t('Change Timestamp as SQL'))}
    <div class="columns">
      ${combobox(t('Sequence'), values.sequence ?? '', choices, (sequence) => set({ sequence }), {
        placeholder: t('None: orders events of one time'),
        problem: problemAt('sequence')?.message,
        id: 'sequence',
      })}
      ${combobox(
        t('Activity Column'),
        values.activityColumn ?? '',
        choices,
        (activityColumn) => set({ activityColumn }),
        {
          placeholder: t('None: all are this activity'),
          problem: problemAt('activityColumn')?.message,
          id: 'activity-column',
        },
      )}
    </div>
  `;
}
