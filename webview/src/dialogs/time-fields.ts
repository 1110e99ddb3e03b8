import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import type { TimeRole, elementFields } from '../../../protocol/fields/element.ts';
import type { Field, FieldTable, FieldsOf } from '../../../protocol/fields/field.ts';
import type { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { combobox } from '../ui/combobox.ts';
import { checkbox } from '../ui/controls.ts';
import { labelOf, placeholderOf, t } from '../ui/translate.ts';
import type { CardValues } from './card-values.ts';
import { columnChoices, isDate, timestamps } from './column-choices.ts';
import { controlId } from './element-fields.ts';

interface TimeFieldsOptions {
  readonly values: CardValues;
  readonly columns: readonly ColumnView[];
  /** The class of a field that conflicts with the file. */
  marked(key: keyof CardValues): string;
  problemOf(property: string): string | undefined;
  set(change: { readonly [K in keyof CardValues]?: CardValues[K] | undefined }): void;
}

/** The columns of the times of an element or of master data. */
export function timeFields(fields: FieldTable, options: TimeFieldsOptions): readonly TemplateResult[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field.type === 'time' ? [timeField(key as TimeKey, field, options)] : [],
  );
}

type Times = (typeof elementFields)[TimeRole];
type TimeKey = TimeRole | FieldsOf<typeof masterDataFields, 'time'>;
/** The values of a dialog with the SQL of a time. */
export type TimeExpression = Times['expression'];
type EndOfDay = (Times | (typeof masterDataFields)['validFrom'])['atEndOfDay'];

function timeField(key: TimeKey, field: Field, options: TimeFieldsOptions): TemplateResult {
  const { values, columns, marked, problemOf, set } = options;
  const { needed = false } = field;
  const expression = field.expression as TimeExpression | undefined;
  const atEndOfDay = field.atEndOfDay as EndOfDay;
  const isComputed = expression !== undefined && values[expression] !== undefined;
  return html`<div class=${`${marked(key)} ${marked(atEndOfDay)}`}>
    ${combobox(
      labelOf(field),
      values[key] ?? '',
      columnChoices(columns, timestamps),
      (column) =>
        set({
          [key]: column,
          ...(expression && { [expression]: undefined }),
          ...unlessDate(columns, column, atEndOfDay),
        }),
      {
        required: needed,
        placeholder: isComputed ? t('Computed by SQL') : placeholderOf(field),
        problem: isComputed ? undefined : problemOf(key),
        id: controlId(key),
      },
    )}
    ${endOfDayField(options, values[key], atEndOfDay)}
  </div>`;
}

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
