import { type TemplateResult, html, nothing } from 'lit';
import type { ActivityNameValues, ColumnView } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';

interface ActivityNamesOptions {
  readonly value: readonly ActivityNameValues[] | undefined;
  readonly activityColumn: string | undefined;
  readonly columns: readonly ColumnView[];
  readonly problem: string | undefined;
  onChange(value: readonly ActivityNameValues[] | undefined): void;
}

/** Other names for texts of the activity column: a line for each text. */
export function activityNamesFields({
  value: now = [],
  activityColumn,
  columns,
  problem,
  onChange,
}: ActivityNamesOptions): TemplateResult {
  const change = (next: readonly ActivityNameValues[], focused?: string): void => {
    onChange(next.length === 0 ? undefined : next);
    // Once the change is drawn.
    if (focused !== undefined) requestAnimationFrame(() => document.getElementById(focused)?.focus());
  };
  const afterRemoval = (index: number): string =>
    now.length === 1 ? 'activity-names' : `activity-text-${Math.min(index, now.length - 2)}`;
  // Texts of the column that have no other name yet, where the source knows them.
  const known = (columns.find(({ name }) => name === activityColumn)?.values ?? []).map((each) => each.value);
  const choices = known.filter((text) => !now.some((each) => each.text === text)).map((text) => ({ value: text }));
  return html`<p class="muted">
      ${t('Other names for texts of the activity column. Several texts may have one name; texts that are not listed stay as they are.')}
    </p>
    <ul class="expectations">
      ${now.map(
        (each, index) =>
          html`<li class="expectation of-values">
            ${combobox(
              t('Text in the Column {0}', index + 1),
              each.text,
              choices,
              (text) => change(now.with(index, { ...each, text })),
              { id: `activity-text-${index}` },
            )}
            ${textField(
              t('Name of the Activity {0}', index + 1),
              each.name,
              (name) => change(now.with(index, { ...each, name })),
              { id: `activity-name-${index}` },
            )}
            ${button(icon('trash'), () => change(now.toSpliced(index, 1), afterRemoval(index)), {
              appearance: 'icon',
              className: 'trash',
              title: t('Remove'),
              label: t('Remove name {0}', index + 1),
            })}
          </li>`,
      )}
    </ul>
    <div class="row">
      ${button(
        html`${icon('add')} ${t('Name')}`,
        () => change([...now, { text: '', name: '' }], `activity-text-${now.length}`),
        { label: t('Add Name (Names of Activities)'), id: 'activity-names' },
      )}
    </div>
    ${problem === undefined ? nothing : html`<p class="field-problem">${problem}</p>`}`;
}
