import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import type { Field } from '../../../protocol/fields/field.ts';
import { combobox } from '../ui/combobox.ts';
import { sqlField } from '../ui/sql-field.ts';
import { labelOf, placeholderOf, t } from '../ui/translate.ts';
import type { CardValues } from './card-values.ts';
import { columnChoices } from './column-choices.ts';
import { controlId } from './element-fields.ts';
import type { TimeExpression } from './time-fields.ts';

interface AdvancedSqlOptions {
  /** Master data has no times, and so no order of events. */
  readonly isMasterData: boolean;
  readonly values: CardValues;
  readonly columns: readonly ColumnView[];
  /** The class of a field that conflicts with the file. */
  marked(key: keyof CardValues): string;
  problemAt(property: string): { readonly message: string; readonly excerpt: string } | undefined;
  set(change: { readonly [K in keyof CardValues]?: CardValues[K] | undefined }): void;
}

/** The zones that the browser knows; any other text may be written. */
const zoneChoices = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')].map((value) => ({
  value,
}));

/** Custom SQL of an element or of master data, and columns that few elements need. */
export function advancedSqlFields({
  isMasterData,
  values,
  columns,
  marked,
  problemAt,
  set,
}: AdvancedSqlOptions): TemplateResult {
  const fields = Object.entries<Field>(isMasterData ? {} : elementFields);
  const time = (key: string, field: Field, expression: TimeExpression): TemplateResult =>
    html`<div class=${marked(expression)}>
      ${sqlField(
        t('{0} as SQL', labelOf(field)),
        values[expression] ?? '',
        (sql) => set({ [expression]: sql, [key]: undefined }),
        {
          id: controlId(expression),
          rows: 1,
          placeholder: t('Computes the time, instead of a column'),
          problem: values[expression] === undefined ? undefined : problemAt(key),
        },
      )}
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
    ${fields.map(([key, field]) =>
      field.expression === undefined ? nothing : time(key, field, field.expression as TimeExpression),
    )}
    <div class=${marked('timeZone')}>
      ${combobox(labelOf(elementFields.timeZone), values.timeZone ?? '', zoneChoices, (timeZone) => set({ timeZone }), {
        placeholder: t('That of the data source'),
        problem: problemAt('timeZone')?.message,
        id: controlId('timeZone'),
      })}
    </div>
    ${
      isMasterData
        ? nothing
        : html`<div class="columns">${columnFields({ values, columns, marked, problemAt, set }, 'sql')}</div>`
    }
  `;
}

/** Fields of an element that hold a column: those of this section, or of none. */
export function columnFields(
  { values, columns, marked, problemAt, set }: Omit<AdvancedSqlOptions, 'isMasterData'>,
  section?: Field['section'],
): readonly TemplateResult[] {
  const choices = columnChoices(columns);
  return Object.entries<Field>(elementFields)
    .filter(([, field]) => field.type === 'column' && field.section === section)
    .map(([name, field]) => {
      const key = name as 'sequence' | 'activityColumn';
      return html`<div class=${marked(key)}>
        ${combobox(labelOf(field), values[key] ?? '', choices, (column) => set({ [key]: column }), {
          placeholder: placeholderOf(field),
          problem: problemAt(key)?.message,
          id: controlId(key),
        })}
      </div>`;
    });
}
