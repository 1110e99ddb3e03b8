import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, RowCorrelationValues } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { checkbox, dropdown, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { columnChoices } from './column-choices.ts';
import { keyColumns } from './key-columns.ts';

interface RowCorrelationsOptions {
  readonly rows: readonly RowCorrelationValues[];
  /** Whether the events have an entity of their own. */
  readonly ownEntity: boolean;
  readonly columns: readonly ColumnView[];
  problemOf(property: string): string | undefined;
  onChange(change: { readonly correlatesWith: readonly RowCorrelationValues[] | undefined }): void;
  onOwnEntity(ownEntity: boolean): void;
}

/** The further entities of the events of a row, one row of fields for each way to name them. */
export function rowCorrelations(options: RowCorrelationsOptions): TemplateResult {
  const { rows, ownEntity, problemOf, onChange, onOwnEntity } = options;
  const change = (next: readonly RowCorrelationValues[]): void =>
    onChange({ correlatesWith: next.length === 0 ? undefined : next });
  return html`<div class="correlations">
    <p class="muted">
      ${t('The events of a row also belong to the entities whose keys stand in the row, such as the incident that a call is about.')}
    </p>
    <ul>
      ${rows.map((row, index) =>
        drawRow(
          row,
          index,
          options,
          (next) => change(rows.with(index, next)),
          () => change(rows.toSpliced(index, 1)),
        ),
      )}
    </ul>
    <div class="row">
      ${button(html`${icon('add')} ${t('Entities')}`, () => change([...rows, { key: [] }]), {
        label: t('Add Entities of Each Row'),
        id: 'add-correlation',
      })}
    </div>
    ${checkbox(t('Each row is an entity of its own'), ownEntity, onOwnEntity, {
      title: t('Otherwise the key only identifies the row, and its events belong to the entities above alone.'),
    })}
    ${ownEntity ? nothing : html`<p class="muted">${t('The key only identifies the row: its events belong to the entities above alone, and no relationship can end here.')}</p>`}
    ${drawProblem(problemOf('ownEntity'))}
  </div>`;
}

function drawRow(
  row: RowCorrelationValues,
  index: number,
  { columns, problemOf }: RowCorrelationsOptions,
  onChange: (row: RowCorrelationValues) => void,
  onRemove: () => void,
): TemplateResult {
  const number = index + 1;
  const text = (field: 'entityType' | 'qualifier' | 'separator', value: string): void => {
    const { [field]: _before, ...others } = row;
    onChange(value === '' ? others : { ...others, [field]: value });
  };
  return html`<li class="correlation" data-correlation=${index}>
    ${textField(`${t('Entity Type')} *`, row.entityType ?? '', (value) => text('entityType', value), { id: `correlation-type-${index}` })}
    ${combobox(
      t('Key'),
      row.key.join(', '),
      columnChoices(columns),
      (value) => onChange({ ...row, key: keyColumns(value, columns) }),
      { required: true, problem: problemOf(`correlatesWith.${index}`), id: `correlation-key-${index}` },
    )}
    ${textField(t('Qualifier'), row.qualifier ?? '', (value) => text('qualifier', value), {
      id: `correlation-qualifier-${index}`,
      placeholder: row.entityType ?? t('As the entity type'),
    })}
    ${drawForm(row, index, onChange)}
    ${button(icon('trash'), onRemove, {
      appearance: 'icon',
      className: 'trash',
      title: t('Remove'),
      label: t('Remove entities {0}', number),
    })}
  </li>`;
}

/** How a value names entities. */
const forms = {
  one: t('one key'),
  list: t('a list of keys'),
  separated: t('keys with a separator'),
} as const;

function formOf({ each, separator }: RowCorrelationValues): keyof typeof forms {
  if (separator !== undefined) return 'separated';
  return each === undefined ? 'one' : 'list';
}

function drawForm(
  row: RowCorrelationValues,
  index: number,
  onChange: (row: RowCorrelationValues) => void,
): TemplateResult {
  const form = formOf(row);
  const { each: _each, separator, ...plain } = row;
  return html`<div class="stacked">
    <span class="field-label" aria-hidden="true">${t('A value is')}</span>
    <div class="value-form">
      ${dropdown(t('What a value of entities {0} is', index + 1), forms[form], Object.values(forms), (chosen) => {
        if (chosen === forms.list) onChange({ ...plain, each: 'list' });
        else onChange(chosen === forms.separated ? { ...plain, separator: ';' } : plain);
      })}
      ${
        form === 'separated'
          ? html`<input
              class="input separator"
              aria-label=${t('Separator of entities {0}', index + 1)}
              .value=${separator ?? ''}
              @input=${(event: Event) => {
                const { value } = event.target as HTMLInputElement;
                // Emptied while it is typed anew: the row keeps its form.
                onChange({ ...plain, separator: value });
              }}
            />`
          : nothing
      }
    </div>
  </div>`;
}

function drawProblem(problem: string | undefined): TemplateResult | typeof nothing {
  return problem === undefined ? nothing : html`<p class="field-problem">${problem}</p>`;
}
