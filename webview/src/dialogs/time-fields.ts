import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import { combobox } from '../ui/combobox.ts';
import { checkbox } from '../ui/controls.ts';
import { t } from '../ui/translate.ts';
import type { CardValues } from './card-values.ts';
import { columnChoices, isDate, timestamps } from './column-choices.ts';

export interface TimeFieldsOptions {
  readonly values: CardValues;
  readonly columns: readonly ColumnView[];
  /** The class of a field that conflicts with the file. */
  marked(key: keyof CardValues): string;
  problemOf(property: string): string | undefined;
  set(change: { readonly [K in keyof CardValues]?: CardValues[K] | undefined }): void;
}

/** The columns of the start and of the change of an element. */
export function timeFields(options: TimeFieldsOptions): TemplateResult {
  const { values, columns, marked, problemOf, set } = options;
  const times = columnChoices(columns, timestamps);
  return html`<div class=${`${marked('startTimestamp')} ${marked('startAtEndOfDay')}`}>
      ${combobox(
        t('Start Timestamp'),
        values.startTimestamp ?? '',
        times,
        (startTimestamp) =>
          set({
            startTimestamp,
            startExpression: undefined,
            ...unlessDate(columns, startTimestamp, 'startAtEndOfDay'),
          }),
        {
          required: true,
          placeholder: values.startExpression === undefined ? undefined : t('Computed by SQL'),
          problem: values.startExpression === undefined ? problemOf('startTimestamp') : undefined,
          id: 'start-timestamp',
        },
      )}
      ${endOfDayField(options, values.startTimestamp, 'startAtEndOfDay')}
    </div>
    <div class=${`${marked('changeTimestamp')} ${marked('changeAtEndOfDay')}`}>
      ${combobox(
        t('Change Timestamp'),
        values.changeTimestamp ?? '',
        times,
        (changeTimestamp) =>
          set({
            changeTimestamp,
            changeExpression: undefined,
            ...unlessDate(columns, changeTimestamp, 'changeAtEndOfDay'),
          }),
        {
          placeholder: values.changeExpression === undefined ? t('None') : t('Computed by SQL'),
          problem: values.changeExpression === undefined ? problemOf('changeTimestamp') : undefined,
          id: 'change-timestamp',
        },
      )}
      ${endOfDayField(options, values.changeTimestamp, 'changeAtEndOfDay')}
    </div>`;
}

/** The column since when the values of a row of master data hold. */
export function validFromField(options: TimeFieldsOptions): TemplateResult {
  const { values, columns, marked, problemOf, set } = options;
  return html`<div class=${`${marked('validFrom')} ${marked('validFromAtEndOfDay')}`}>
    ${combobox(
      t('Valid From'),
      values.validFrom ?? '',
      columnChoices(columns, timestamps),
      (validFrom) => set({ validFrom, ...unlessDate(columns, validFrom, 'validFromAtEndOfDay') }),
      { placeholder: t('One row for each entity'), problem: problemOf('validFrom'), id: 'valid-from' },
    )}
    ${endOfDayField(options, values.validFrom, 'validFromAtEndOfDay')}
  </div>`;
}

type EndOfDay = 'startAtEndOfDay' | 'changeAtEndOfDay' | 'validFromAtEndOfDay';

/** Only a date can be the end of its day. */
function unlessDate(
  columns: readonly ColumnView[],
  column: string,
  field: EndOfDay,
): { readonly [K in EndOfDay]?: undefined } {
  return isDate(columns, column) ? {} : { [field]: undefined };
}

function endOfDayField(
  { values, columns, set }: TimeFieldsOptions,
  column: string | undefined,
  field: EndOfDay,
): TemplateResult | typeof nothing {
  const isSet = values[field] === true;
  if (!isSet && !isDate(columns, column)) return nothing;
  return checkbox(t('At the end of the day'), isSet, (checked) => set({ [field]: checked ? true : undefined }), {
    title: t('A date without time of day is otherwise the beginning of its day, before all times of that day.'),
  });
}
