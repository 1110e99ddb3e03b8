import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, ElementValues, PropertyValue } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { checkbox, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { virtualList } from '../ui/virtual-list.ts';
import { columnDetail } from './column-choices.ts';

interface PropertyListOptions {
  readonly columns: readonly ColumnView[];
  /** The catalog of the source is known. */
  readonly isRead: boolean;
  readonly value: ElementValues['properties'];
  /** Those selected when the dialog was opened, which are listed first: nothing moves while others are selected. */
  readonly selectedBefore: ElementValues['properties'];
  readonly filter: string;
  readonly problem?: string | undefined;
  onFilter(text: string): void;
  onChange(value: ElementValues['properties']): void;
}

/** The properties as checkboxes with search; selected names missing in the source stay visible. */
export function propertyList(options: PropertyListOptions): TemplateResult {
  const { value, filter, problem, onFilter, onChange } = options;
  const chosen = value === 'all' || value === undefined ? [] : value;
  const selected = new Set(chosen.map(columnOf));
  const rows = rowsOf(options, selected);
  const shown = rows.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const isOn = (column: ColumnView): boolean => (value === 'all' ? isOwn(column) : selected.has(column.name));
  const allShown = shown.length > 0 && shown.every(isOn);
  const count = value === 'all' ? rows.filter(isOwn).length : selected.size;

  /** In file order; new ones at the end in the order of the source. */
  function withChange(names: readonly string[], on: boolean): void {
    const before: readonly PropertyValue[] = value === 'all' ? rows.filter(isOwn).map(({ name }) => name) : chosen;
    const changed = new Set(names);
    const known = new Set(before.map(columnOf));
    onChange(
      on
        ? [...before, ...names.filter((name) => !known.has(name))]
        : before.filter((property) => !changed.has(columnOf(property))),
    );
  }

  return html`<fieldset class="properties" aria-describedby=${problem === undefined ? nothing : 'properties-problem'}>
    <legend class="field-label">${t('Properties')}</legend>
    <div class="row">
      ${textField(t('Filter properties'), filter, onFilter, { id: 'property-filter', placeholder: t('Filter') })}
      <span class="muted count" role="status"
        >${rows.length === 0 ? nothing : t('{0} of {1} selected', count, rows.length)}</span
      >
      ${checkbox(
        filter.trim() === '' ? t('Select all columns') : t('Select the {0} found', shown.length),
        allShown,
        (on) =>
          withChange(
            shown.map(({ name }) => name),
            on,
          ),
      )}
      ${checkbox(
        t('Also future columns'),
        value === 'all',
        (on) => onChange(on ? 'all' : rows.filter(isOwn).map(({ name }) => name)),
        {
          title: t('Keeps all columns of the data object, including columns added later'),
        },
      )}
    </div>
    ${
      rows.length === 0
        ? html`<p class="muted empty">
            ${options.isRead ? t('Choose a data object to see its columns.') : t('The columns are shown when the data source has been read.')}
          </p>`
        : virtualList(
            t('Properties'),
            shown,
            (column) =>
              drawRow(column, isOn(column), detailOf(column, options), {
                onChange: (on) => withChange([column.name], on),
                onRename: value === 'all' ? undefined : () => onChange(withNames(chosen, column.name)),
              }),
            { rowHeight: 26, topOf: filter },
          )
    }
    ${drawNames(chosen, rows, onChange)}
    ${problem === undefined ? nothing : html`<p class="field-problem" id="properties-problem">${problem}</p>`}
  </fieldset>`;
}

function columnOf(property: PropertyValue): string {
  return typeof property === 'string' ? property : property.column;
}

/** The properties, those of a column with a name to change. */
function withNames(properties: readonly PropertyValue[], column: string): readonly PropertyValue[] {
  return properties.map((property) => (property === column ? { column, name: column } : property));
}

/** The names that properties have of their own, in the order of the rows; one that is emptied is the column's again. */
function drawNames(
  properties: readonly PropertyValue[],
  rows: readonly ColumnView[],
  onChange: (properties: readonly PropertyValue[]) => void,
): TemplateResult | typeof nothing {
  const placeOf = (column: string): number => rows.findIndex(({ name }) => name === column);
  const named = properties
    .flatMap((property, index) => (typeof property === 'string' ? [] : [{ property, index }]))
    .sort((one, other) => placeOf(one.property.column) - placeOf(other.property.column));
  if (named.length === 0) return nothing;
  return html`<div class="columns" role="group" aria-label=${t('Names of properties')}>
    ${named.map(({ property, index }) =>
      textField(
        t('Name of {0}', property.column),
        property.name,
        (name) => onChange(properties.with(index, name === '' ? property.column : { ...property, name })),
        { id: `property-name-${index}` },
      ),
    )}
  </div>`;
}

/** Columns of joined tables are prefixed by their alias. */
function isOwn({ name, type }: ColumnView): boolean {
  return type !== '' && !name.includes('.');
}

function rowsOf(
  { columns, selectedBefore }: PropertyListOptions,
  selected: ReadonlySet<string>,
): readonly ColumnView[] {
  const known = new Set(columns.map(({ name }) => name));
  const unknown = [...selected].filter((name) => !known.has(name));
  const nothingKnown = { type: '', sense: 'other', key: false, nullable: true } as const;
  const first = new Set(selectedBefore === 'all' ? [] : selectedBefore?.map(columnOf));
  return [
    ...unknown.map((name) => ({ name, ...nothingKnown })),
    ...columns.filter(({ name }) => first.has(name)),
    ...columns.filter(({ name }) => !first.has(name)),
  ];
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
  { onChange, onRename }: { onChange(on: boolean): void; readonly onRename: (() => void) | undefined },
): TemplateResult {
  const values = distinctEstimate === undefined ? '' : ` · ${t('{0} values', distinctEstimate.toLocaleString('en'))}`;
  return html`<div class="property" title=${comment ?? nothing}>
    ${checkbox(name, on, onChange)} ${key ? icon('key') : nothing}<span class="muted clip">${detail}${values}</span>
    ${
      on && onRename
        ? button(icon('edit'), onRename, {
            appearance: 'icon',
            title: t('Give the property a name of its own'),
            label: t('Rename {0}', name),
          })
        : nothing
    }
  </div>`;
}
