import { type TemplateResult, html, nothing } from 'lit';
import { until } from 'lit/directives/until.js';
import type { ColumnView, DataObjectName } from '../../../protocol/canvas-intents.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { virtualList } from '../ui/virtual-list.ts';
import { columnDetail } from '../dialogs/column-choices.ts';
import { t } from '../ui/translate.ts';
import { sizeText } from './object-facts.ts';
import type { ListedObject } from './object-rows.ts';

/** Caches requested columns. */
export type ColumnsOf = (dataObject: DataObjectName) => Promise<readonly ColumnView[]>;

export function createColumnsOf(ask: Ask): ColumnsOf {
  const known = new Map<string, Promise<readonly ColumnView[]>>();
  return (object) => {
    const key = keyOfObject(object);
    const { name: dataObject, dataSource } = object;
    const values = { dataObject, ...(dataSource === undefined ? {} : { dataSource }) };
    const columns =
      known.get(key) ??
      ask('columns', { values }).then((outcome) => {
        if (outcome.ok && outcome.value.length > 0) return outcome.value;
        known.delete(key);
        return [];
      });
    known.set(key, columns);
    return columns;
  };
}

/** Metadata of a data object: counts, size, key and columns. */
export function drawMetadata(object: ListedObject, columnsOf: ColumnsOf, close: () => void): TemplateResult {
  const { name, kind, comment, columnCount, rowEstimate, dataSize, lastAnalyzed, key } = object;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t('Data Source'), object.dataSource],
    [t('Kind'), kind],
    [t('Columns'), columnCount.toLocaleString('en')],
    [t('Rows (estimate)'), rowEstimate?.toLocaleString('en')],
    [t('Data size'), dataSize === undefined ? undefined : sizeText(dataSize)],
    [t('Key'), key.length > 0 ? key.join(', ') : t('none')],
    [t('Last analysed'), lastAnalyzed && new Date(lastAnalyzed).toLocaleString()],
  ];
  return html`<aside id="metadata" aria-label=${t('Metadata of {0}', name)}>
    <header>
      <h3 class="clip">${icon('info')} ${name}</h3>
      ${button(icon('close'), close, { appearance: 'icon', title: t('Close (Escape)'), label: t('Close metadata') })}
    </header>
    ${comment ? html`<p>${comment}</p>` : nothing}
    <dl>
      ${facts.map(([label, value]) =>
        value === undefined
          ? nothing
          : html`<dt>${label}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>
    ${until(columnsOf(object).then(drawColumns), html`<p class="muted late">${t('Reading columns…')}</p>`)}
  </aside>`;
}

function drawColumns(columns: readonly ColumnView[]): TemplateResult {
  if (columns.length === 0) return html`<p class="muted">${t('The columns are not known.')}</p>`;
  return virtualList(
    t('Columns'),
    columns,
    (column) =>
      html`<div class="column-row" title=${column.comment ?? nothing}>
        ${icon(column.key ? 'key' : 'symbol-field')}<span class="clip">${column.name}</span
        ><span class="muted clip">${columnDetail({ ...column, key: false })}${nullText(column)}</span>
      </div>`,
  );
}

function nullText({ nullShare }: ColumnView): string {
  if (nullShare === undefined || nullShare === 0) return '';
  return ` · ${t('{0} % empty', Math.max(1, Math.round(nullShare * 100)))}`;
}
