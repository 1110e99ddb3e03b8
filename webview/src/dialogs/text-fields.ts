import { type TemplateResult, html } from 'lit';
import type { Field, FieldTable } from '../../../protocol/fields/field.ts';
import { textArea, textField } from '../ui/controls.ts';
import { labelOf, t } from '../ui/translate.ts';

interface TextFieldsOptions {
  /** The values of the entry, by field. */
  readonly values: object;
  /** Before the name of the field in the id of its control. */
  readonly idPrefix: string;
  onChange(field: string, value: string | readonly string[]): void;
  /** Of the first field. */
  readonly autofocus?: boolean;
}

/** Controls of all fields of a table that only document its entry, in its order; lists have one text per line. */
export function textFields(
  table: FieldTable,
  { values, idPrefix, onChange, autofocus = false }: TextFieldsOptions,
): readonly TemplateResult[] {
  const texts: Readonly<Record<string, unknown>> = { ...values };
  const control = ([name, field]: readonly [string, Field], index: number): TemplateResult => {
    const [value, label, options] = [
      texts[name],
      labelOf(field),
      { autofocus: autofocus && index === 0, id: `${idPrefix}-${name}` },
    ];
    if (field.type === 'texts') {
      const lines = Array.isArray(value) ? value.join('\n') : '';
      return textArea(t('{0} (one a line)', label), lines, (text) => onChange(name, text.split('\n')), options);
    }
    const draw = field.isLong ? textArea : textField;
    return draw(label, typeof value === 'string' ? value : '', (text) => onChange(name, text), options);
  };
  return Object.entries(table)
    .filter(([, { type }]) => type === 'text' || type === 'texts')
    .map((entry, index) => html`<div>${control(entry, index)}</div>`);
}
