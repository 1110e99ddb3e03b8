import { type TemplateResult, html } from 'lit';
import type { ColumnView, ElementValues } from '../../../protocol/canvas-intents.ts';
import { combobox } from '../ui/combobox.ts';
import { t } from '../ui/translate.ts';
import { columnChoices, timestamps } from './column-choices.ts';

export interface TimeFieldsOptions {
  readonly values: ElementValues;
  readonly columns: readonly ColumnView[];
  /** The class of a field that conflicts with the file. */
  marked(key: keyof ElementValues): string;
  problemOf(property: string): string | undefined;
  set(change: { readonly [K in keyof ElementValues]?: ElementValues[K] | undefined }): void;
}

/** The columns of the start and of the change of an element. */
export function timeFields({ values, columns, marked, problemOf, set }: TimeFieldsOptions): TemplateResult {
  const times = columnChoices(columns, timestamps);
  return html`<div class=${marked('startTimestamp')}>
      ${combobox(
        t('Start Timestamp'),
        values.startTimestamp ?? '',
        times,
        (startTimestamp) => set({ startTimestamp, startExpression: undefined }),
        {
          required: true,
          placeholder: values.startExpression === undefined ? undefined : t('Computed by SQL'),
          problem: values.startExpression === undefined ? problemOf('startTimestamp') : undefined,
          id: 'start-timestamp',
        },
      )}
    </div>
    <div class=${marked('changeTimestamp')}>
      ${combobox(
        t('Change Timestamp'),
        values.changeTimestamp ?? '',
        times,
        (changeTimestamp) => set({ changeTimestamp, changeExpression: undefined }),
        {
          placeholder: values.changeExpression === undefined ? t('None') : t('Computed by SQL'),
          problem: values.changeExpression === undefined ? problemOf('changeTimestamp') : undefined,
          id: 'change-timestamp',
        },
      )}
    </div>`;
}
