import type { TemplateResult } from 'lit';
import { html } from 'lit';
import type { ProcessContextValues } from '../../../protocol/canvas-intents.ts';
import type { Field } from '../../../protocol/fields/field.ts';
import { processContextFields as fields } from '../../../protocol/fields/process-context.ts';
import { textArea, textField } from '../ui/controls.ts';
import { labelOf, t } from '../ui/translate.ts';

/** The annotation of an element; lists have one entry per line. */
export function processContextFields(
  context: ProcessContextValues,
  onChange: (context: ProcessContextValues) => void,
  { autofocus = false }: { readonly autofocus?: boolean } = {},
): TemplateResult {
  const values: Readonly<Record<string, string | readonly string[] | undefined>> = context;
  const control = (key: string, field: Field, isFirst: boolean): TemplateResult => {
    const value = values[key] ?? '';
    const change = (next: string | readonly string[]): void => onChange({ ...context, [key]: next });
    const label = labelOf(field);
    if (field.type === 'texts') {
      const lines = typeof value === 'string' ? value : value.join('\n');
      return textArea(t('{0} (one a line)', label), lines, (text) => change(text.split('\n')));
    }
    const options = isFirst ? { autofocus, id: `context-${key}` } : {};
    return (field.isLong ? textArea : textField)(label, String(value), change, options);
  };
  return html`<div class="fields">
    ${Object.entries<Field>(fields).map(([key, field], index) => control(key, field, index === 0))}
  </div>`;
}
