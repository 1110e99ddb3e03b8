import { type TemplateResult, html } from 'lit';
import type { ProcessContextValues } from '../../../protocol/canvas-intents.ts';
import { processContextFields as fields } from '../../../protocol/fields/process-context.ts';
import { textFields } from './text-fields.ts';

/** The annotation of an element. */
export function processContextFields(
  context: ProcessContextValues,
  onChange: (context: ProcessContextValues) => void,
  { autofocus = false }: { readonly autofocus?: boolean } = {},
): TemplateResult {
  const change = (field: string, value: string | readonly string[]): void => onChange({ ...context, [field]: value });
  return html`<div class="fields">
    ${textFields(fields, { values: context, idPrefix: 'context', onChange: change, autofocus })}
  </div>`;
}
