import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, ElementValues } from '../../../protocol/canvas-intents.ts';
import { checkbox, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { virtualList } from '../ui/virtual-list.ts';
import { columnDetail } from './column-choices.ts';

export interface PropertyListOptions {
  readonly columns: readonly ColumnView[];
  readonly value: ElementValues['properties'];
  readonly filter: string;
  readonly problem?: string | undefined;
  onFilter(text: string): void;
  onChange(value: ElementValues['properties']): void;
}

/** The properties as checkboxes with search; selected names missing in the source stay visible. */
export function propertyList(options: PropertyListOptions): TemplateResult {
  const { value, filter, problem, onFilter, onChange } = options;
  const selected = new Set(value === 'all' || value === undefined ? [] : value);
  const rows = rowsOf(options, selected);
  const shown = rows.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const isOn = (column: ColumnView): boolean => (value === 'all' ? isOwn(column) : selected.has(column.name));
  const allShown = shown.length > 0 && shown.every(isOn);
  const count = value === 'all' ? rows.filter(isOwn).length : selected.size;

  /** In file order; new ones at the end in the order of the source. */
  function withChange(names: readonly string[], on: boolean): void {
    const before = value === 'all' ? rows.filter(isOwn).map(({ name }) => name) : (value ?? []);
    const changed = new Set(names);
    onChange(
      on ? [...before, ...names.filter((name) => !before.includes(name))] : before.filter((name) => !changed.has(name)),
    );
  }

  return html`<fieldset class="properties" aria-describedby=${problem === undefined ? nothing : 'properties-problem'}>
    <legend class="field-label">${t('Properties')}</legend>
    <div class="row">
      ${textField(t('Filter properties'), filter, onFilter, { id: 'property-filter', placeholder: t('Filter') })}
      <span class="muted count" role="status">${t('{0} of {1} selected', count, rows.length)}</span>
      ${checkbox(t('All shown'), allShown, (on) =>
        withChange(
          shown.map(({ name }) => name),
          on,
        ),
      )}
      ${checkbox(
        t('Always all'),
        value === 'all',
        (on) => onChange(on ? 'all' : rows.filter(isOwn).map(({ name }) => name)),
        {
          title: t('All columns of the data object, also those that it gets later'),
        },
      )}
    </div>
    ${
      rows.length === 0
        ? html`<p class="muted empty">${t('The columns are not known yet. Use Load Property List.')}</p>`
        : virtualList(
            t('Properties'),
            shown,
            (column) => drawRow(column, isOn(column), detailOf(column, options), (on) => withChange([column.name], on)),
            26,
          )
    }
    ${problem === undefined ? nothing : html`<p class="field-problem" id="properties-problem">${problem}</p>`}
  </fieldset>`;
}

/** Columns of joined tables are prefixed by their alias. */
function isOwn({ name, type }: ColumnView): boolean {
  return type !== '' && !name.includes('.');
}

function rowsOf({ columns }: PropertyListOptions, selected: ReadonlySet<string>): readonly ColumnView[] {
  const known = new Set(columns.map(({ name }) => name));
  const unknown = [...selected].filter((name) => !known.has(name));
  const nothingKnown = { type: '', sense: 'other', key: false, nullable: true } as const;
  return [...unknown.map((name) => ({ name, ...nothingKnown })), ...columns];
}

/** Nothing is missing while the columns of the source are unknown. */
function detailOf(column: ColumnView, { columns }: PropertyListOptions): string {
  if (column.type !== '') return columnDetail(column);
  return columns.length === 0 ? t('not known yet') : t('not found in the source');
}

function drawRow(
  { name, key, comment, distinctEstimate }: ColumnView,
  on: boolean,
  detail: string,
  onChange: (on: boolean) => void,
): TemplateResult {
  const values = distinctEstimate === undefined ? '' : ` · ${t('{0} values', distinctEstimate.toLocaleString('en'))}`;
  return html`<div class="property" title=${comment ?? nothing}>
    ${checkbox(name, on, onChange)} ${key ? icon('key') : nothing}<span class="muted clip">${detail}${values}</span>
  </div>`;
}
