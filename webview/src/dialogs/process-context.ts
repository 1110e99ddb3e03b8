import { type TemplateResult, html } from 'lit';
import type { ProcessContextValues } from '../../../protocol/canvas-intents.ts';
import { textArea, textField } from '../ui/controls.ts';
import { t } from '../ui/translate.ts';

/** The annotation of an element; lists have one entry per line. */
export function processContextFields(
  context: ProcessContextValues,
  onChange: (context: ProcessContextValues) => void,
  { autofocus = false }: { readonly autofocus?: boolean } = {},
): TemplateResult {
  const lines = (text: string): readonly string[] => text.split('\n');
  const list = (key: 'businessRules' | 'procedures' | 'links', label: string): TemplateResult =>
    textArea(t('{0} (one a line)', label), (context[key] ?? []).join('\n'), (text) =>
      onChange({ ...context, [key]: lines(text) }),
    );
  return html`<div class="context-fields">
    ${textArea(t('Description'), context.description ?? '', (description) => onChange({ ...context, description }), { autofocus, id: 'context-description' })}
    ${textField(t('Owner'), context.owner ?? '', (owner) => onChange({ ...context, owner }))}
    ${list('businessRules', t('Business Rules'))} ${list('procedures', t('Procedures'))} ${list('links', t('Links'))}
  </div>`;
}
