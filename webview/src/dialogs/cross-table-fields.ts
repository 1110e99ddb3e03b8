import { type TemplateResult, html } from 'lit';
import type {
  ColumnView,
  CrossMappingValues,
  CrossTableValues,
  IntentProblem,
} from '../../../protocol/canvas-intents.ts';
import { crossTableFields as fieldsOfCrossTable } from '../../../protocol/fields/relationship.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { dataSourceField, drawSourceNotice } from './data-source-field.ts';
import type { DialogCatalog } from './dialog-catalog.ts';
import { drawOtherProblems } from './dialog-problems.ts';
import { crossRow } from './mapping-rows.ts';
import { textFields } from './text-fields.ts';

interface CrossTableOptions {
  readonly crossTable: CrossTableValues;
  readonly catalog: DialogCatalog;
  readonly columns: { readonly source: readonly ColumnView[]; readonly target: readonly ColumnView[] };
  readonly cross: readonly ColumnView[];
  /** Problems of the cross table and its mappings. */
  readonly problems: readonly IntentProblem[];
  onFocusOut(event: FocusEvent): void;
  onChange(crossTable: CrossTableValues): void;
  /** Another data object or data source was chosen. */
  onDataObject(crossTable: CrossTableValues): void;
  onRemove(): void;
}

const ofDataSource = 'crossTable.dataSource';
const ofDataObject = 'crossTable.dataObject';

/** The cross table of a many-to-many relationship. */
export function crossTableFields(options: CrossTableOptions): TemplateResult {
  const { crossTable, catalog, problems, onChange, onDataObject, onRemove, onFocusOut } = options;
  const problemOf = (field: string): string | undefined => problems.find(({ property }) => property === field)?.message;
  return html`<fieldset class="cross-table" @focusout=${onFocusOut}>
    <legend class="field-label">${t('Cross Table')}</legend>
    <div class="row">
      ${dataSourceField({
        label: t('Data source of the cross table'),
        id: 'cross-data-source',
        catalog,
        value: crossTable.dataSource,
        problem: problemOf(ofDataSource),
        unseenLabel: true,
        onChange: (name) => onDataObject(inDataSource(name, crossTable, catalog)),
      })}
      ${combobox(
        t('Data object of the cross table'),
        crossTable.dataObject ?? '',
        catalog.objectsOf(crossTable.dataSource).map(({ name, kind }) => ({ value: name, detail: kind })),
        (dataObject) => onDataObject(named({ ...crossTable, dataObject }, catalog)),
        { unseenLabel: true, placeholder: t('Data object'), problem: problemOf(ofDataObject), id: 'cross-data-object' },
      )}
      ${button(icon('trash'), onRemove, { appearance: 'icon', className: 'trash', title: t('Remove'), label: t('Remove cross table') })}
    </div>
    ${drawSourceNotice(crossTable.dataSource, catalog)} ${drawOtherProblems(problems, [ofDataSource, ofDataObject])}
    <div class="columns">
      ${textFields(fieldsOfCrossTable, { values: crossTable, idPrefix: 'cross-text', onChange: (field, text) => onChange({ ...crossTable, [field]: text }) })}
      ${drawSide('source', crossTable.sourceMappings, options, (sourceMappings) => onChange({ ...crossTable, sourceMappings }))}
      ${drawSide('target', crossTable.targetMappings, options, (targetMappings) => onChange({ ...crossTable, targetMappings }))}
    </div>
  </fieldset>`;
}

/** A cross table of another data source. Keeps a data object that is there, too. */
function inDataSource(
  dataSource: string | undefined,
  crossTable: CrossTableValues,
  catalog: DialogCatalog,
): CrossTableValues {
  const { dataSource: _, dataObject, ...mappings } = crossTable;
  const isThere = catalog.objectsOf(dataSource).some((object) => object.name === dataObject);
  return {
    ...(dataSource === undefined ? {} : { dataSource }),
    ...(dataObject !== undefined && isThere ? { dataObject } : {}),
    ...mappings,
  };
}

/** Names the data source of the graph where another one has a data object of that name, too. */
function named(crossTable: CrossTableValues, catalog: DialogCatalog): CrossTableValues {
  const { dataSource = catalog.dataSource, dataObject } = crossTable;
  const isElsewhere = catalog
    .others()
    .some(({ name }) => catalog.objectsOf(name).some((object) => object.name === dataObject));
  return dataSource === undefined || !isElsewhere ? crossTable : { ...crossTable, dataSource };
}

function drawSide(
  side: 'source' | 'target',
  mappings: readonly CrossMappingValues[],
  { columns, cross }: CrossTableOptions,
  onChange: (mappings: readonly CrossMappingValues[]) => void,
): TemplateResult {
  return html`<section aria-label=${side === 'source' ? t('Cross table, source side') : t('Cross table, target side')}>
    <ul>
      ${mappings.map((mapping, index) =>
        crossRow({
          side,
          index,
          mapping,
          cross,
          own: columns[side],
          onChange: (next) => onChange(mappings.with(index, next)),
          onRemove: () => onChange(mappings.toSpliced(index, 1)),
        }),
      )}
    </ul>
    ${button(
      html`${icon('add')} ${side === 'source' ? t('Source Mapping') : t('Target Mapping')}`,
      () => onChange([...mappings, { column: '', cross: '' }]),
      {
        label: side === 'source' ? t('Add source mapping') : t('Add target mapping'),
      },
    )}
  </section>`;
}
