import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, DataObjectView, IntentProblem } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { labelOf, t } from '../ui/translate.ts';
import { activityNamesFields } from './activity-names.ts';
import { advancedSqlFields, columnFields } from './advanced-sql-fields.ts';
import type { CardValues } from './card-values.ts';
import { columnChoices } from './column-choices.ts';
import { dataSourceField, drawSourceNotice } from './data-source-field.ts';
import { type DialogCatalog, drawCatalogNotice } from './dialog-catalog.ts';
import { conflictNotice } from './dialog-header-footer.ts';
import { drawOtherProblems } from './dialog-problems.ts';
import { type Section, fieldOf, propertiesWithField } from './element-fields.ts';
import { keyColumns } from './key-columns.ts';
import { lifecycleFields } from './lifecycle-fields.ts';
import { processContextFields } from './process-context.ts';
import { propertyList } from './property-list.ts';
import type { FieldProblem } from './query-preview.ts';
import { rowExpectations } from './row-expectations.ts';
import { rowCorrelations } from './row-correlations.ts';
import { textFields } from './text-fields.ts';
import { timeFields } from './time-fields.ts';

/** The opened sections and the filter of a dialog. */
export interface DialogView extends Readonly<Record<Section, boolean>> {
  readonly isContextOpen: boolean;
  readonly filter: string;
}

export const noSections: DialogView = {
  isSqlOpen: false,
  isContextOpen: false,
  isLifecycleOpen: false,
  areNamesOpen: false,
  areExpectationsOpen: false,
  areCorrelationsOpen: false,
  filter: '',
};

interface ElementFormOptions {
  readonly element: CardView;
  readonly values: CardValues;
  readonly columns: readonly ColumnView[];
  readonly catalog: DialogCatalog;
  /** Fields changed in the file, too. */
  readonly conflicting: readonly (keyof CardValues)[];
  readonly problems: readonly IntentProblem[];
  readonly view: DialogView;
  problemAt(property: string): FieldProblem | undefined;
  set(change: { readonly [K in keyof CardValues]?: CardValues[K] | undefined }): void;
  setView(change: Partial<DialogView>): void;
  /** Another data object or data source, which has other columns. */
  setSource(change: Pick<CardValues, 'dataObject'> | { readonly dataSource: string | undefined }): void;
  /** The fields that the dialog filled in. */
  readonly filled: readonly string[];
  /** Empties these fields. */
  onClear(): void;
  /** Makes master data of an element whose columns have no times; otherwise undefined. */
  readonly onMasterData: (() => void) | undefined;
}

/** The fields of an element or of master data. */
export function drawElementForm(options: ElementFormOptions): TemplateResult {
  const { element, values, columns, catalog, conflicting, view, problemAt, set, setView } = options;
  const dataSource = chosenSource(element, values);
  const objects = catalog.objectsOf(dataSource);
  const problemOf = (property: string): string | undefined => problemAt(property)?.message;
  const marked = (key: keyof CardValues): string => (conflicting.includes(key) ? 'conflict' : '');
  const isMasterData = element.isMasterData === true;
  return html`
    ${drawCatalogNotice(catalog)} ${conflictNotice(conflicting.length > 0)} ${drawSuggestion(options)}
    <div class="columns">
      ${isMasterData ? drawName(options, marked('name')) : drawActivityName(options, marked('activityName'))}
      ${drawDataSource(options, marked('dataSource'))}
      <div class=${`wide ${marked('dataObject')}`}>
        ${combobox(
          t('Data Object'),
          values.dataObject ?? '',
          objects.map((object) => ({ value: object.name, detail: objectDetail(object) })),
          (dataObject) => options.setSource({ dataObject }),
          { required: true, problem: problemOf('dataObject'), id: 'data-object' },
        )}
      </div>
      ${isMasterData ? nothing : columnFields({ values, columns, marked, problemAt, set })}
      ${isMasterData ? nothing : timeFields(elementFields, { values, columns, marked, problemOf, set })}
      <div class=${marked('key')}>
        ${combobox(
          t('Key'),
          (values.key ?? []).join(', '),
          columnChoices(columns),
          (text) => set({ key: keyColumns(text, columns) }),
          { placeholder: primaryKeyOf(values.dataObject, objects), problem: problemOf('key'), id: 'key' },
        )}
      </div>
      ${isMasterData ? timeFields(masterDataFields, { values, columns, marked, problemOf, set }) : nothing}
      <div class=${marked('entityType')}>
        ${textField(t('Entity Type'), values.entityType ?? '', (entityType) => set({ entityType }), {
          id: 'entity-type',
          placeholder: values.dataObject ?? t('As the data object'),
        })}
      </div>
      ${textFields(isMasterData ? masterDataFields : elementFields, { values, idPrefix: 'text', onChange: (field, text) => set({ [field]: text }) })}
    </div>
    <div class=${marked('properties')}>
      ${propertyList({
        columns,
        isRead: catalog.state().kind === 'known',
        value: values.properties,
        selectedBefore: element.values.properties,
        filter: view.filter,
        problem: problemOf('properties'),
        onFilter: (filter) => setView({ filter }),
        onChange: (properties) => set({ properties: properties?.length === 0 ? undefined : properties }),
      })}
    </div>
    ${isMasterData ? nothing : drawCorrelations(options, problemOf, `${marked('correlatesWith')} ${marked('ownEntity')}`)}
    ${isMasterData ? nothing : drawLifecycle(options, problemOf('lifecycle'), marked('lifecycle'))}
    ${isMasterData ? nothing : drawActivityNames(options, problemOf('activityNames'), marked('activityNames'))}
    ${section(
      options,
      'isSqlOpen',
      t('Advanced SQL'),
      advancedSqlFields({ isMasterData, values, columns, marked, problemAt, set }),
    )}
    ${section(
      options,
      'areExpectationsOpen',
      labelOf(elementFields.expect),
      html`<div class=${marked('expect')}>
        ${rowExpectations({ value: values.expect, columns, problemOf, onChange: (expect) => set({ expect }) })}
      </div>`,
    )}
    ${section(
      options,
      'isContextOpen',
      labelOf(elementFields.processContext),
      processContextFields(values.processContext ?? {}, (processContext) => set({ processContext })),
    )}
    ${drawOtherProblems(options.problems, propertiesWithField)}
  `;
}

/** The data source whose data objects are offered: the written one, else that which the graph finds. */
export function chosenSource({ dataSource, values }: CardView, now: CardValues): string | undefined {
  return now.dataSource === values.dataSource ? dataSource : now.dataSource;
}

function drawDataSource({ values, catalog, problemAt, setSource }: ElementFormOptions, className: string) {
  const field = dataSourceField({
    label: labelOf(elementFields.dataSource),
    id: 'data-source',
    catalog,
    value: values.dataSource,
    problem: problemAt('dataSource')?.message,
    onChange: (dataSource) => setSource({ dataSource }),
  });
  if (field === nothing) return nothing;
  return html`<div class=${`wide ${className}`}>${field} ${drawSourceNotice(values.dataSource, catalog)}</div>`;
}

/** A part of the dialog that is opened and closed. */
function section(
  { view, setView }: ElementFormOptions,
  which: Section | 'isContextOpen',
  title: string,
  content: unknown,
): TemplateResult {
  return html`<details .open=${view[which]} @toggle=${(event: Event) => setView({ [which]: isOpen(event) })}>
    <summary>${title}</summary>
    ${content}
  </details>`;
}

function drawLifecycle(options: ElementFormOptions, problem: string | undefined, className: string): TemplateResult {
  const { values, columns, set } = options;
  return section(
    options,
    'isLifecycleOpen',
    labelOf(elementFields.lifecycle),
    html`<div class=${className}>
      ${lifecycleFields({ value: values.lifecycle, columns, problem, onChange: (lifecycle) => set({ lifecycle }) })}
    </div>`,
  );
}

function drawActivityNames(
  options: ElementFormOptions,
  problem: string | undefined,
  className: string,
): TemplateResult {
  const { values, columns, set } = options;
  return section(
    options,
    'areNamesOpen',
    labelOf(elementFields.activityNames),
    html`<div class=${className}>
      ${activityNamesFields({
        value: values.activityNames,
        activityColumn: values.activityColumn,
        columns,
        problem,
        onChange: (activityNames) => set({ activityNames }),
      })}
    </div>`,
  );
}

/** What the columns of a new entry suggest: the fields that are filled in, or that it is master data. */
function drawSuggestion({ values, filled, onClear, onMasterData }: ElementFormOptions) {
  if (onMasterData)
    return html`<p class="notice info" role="status">
      ${icon('info')}
      ${t('No column of {0} has times, so its rows are no events. Objects without events are master data.', values.dataObject ?? '')}
      ${button(t('Add as Master Data'), onMasterData, { appearance: 'small', id: 'become-master-data' })}
    </p>`;
  const labels = [
    ...new Set(filled.flatMap((key) => fieldOf(key.replace(/Expression$/, 'Timestamp'), values)?.name ?? [])),
  ];
  if (labels.length === 0) return nothing;
  return html`<p class="notice info" role="status">
    ${icon('info')} ${t('Filled in from the columns: {0}.', labels.join(', '))}
    ${button(t('Clear'), onClear, { appearance: 'small', title: t('Empty these fields'), id: 'clear-filled' })}
  </p>`;
}

function isOpen(event: Event): boolean {
  return (event.target as HTMLDetailsElement).open;
}

function drawActivityName({ values, set }: ElementFormOptions, className: string): TemplateResult {
  return html`<div class=${`wide ${className}`}>
    ${textField(`${t('Activity Name')} *`, values.activityName ?? '', (activityName) => set({ activityName }), {
      id: 'activity-name',
      placeholder: t('Verb, then subject: Open Incident'),
      autofocus: true,
    })}
  </div>`;
}

function drawName({ values, set }: ElementFormOptions, className: string): TemplateResult {
  const { entityType, dataObject } = values;
  return html`<div class=${`wide ${className}`}>
    ${textField(t('Name'), values.name ?? '', (name) => set({ name }), {
      id: 'name',
      placeholder: entityType ?? dataObject ?? t('As the entity type'),
      hint: t('Relationships refer to it by this name'),
      autofocus: true,
    })}
  </div>`;
}

function drawCorrelations(
  options: ElementFormOptions,
  problemOf: (property: string) => string | undefined,
  className: string,
): TemplateResult {
  const { values, columns, set } = options;
  return section(
    options,
    'areCorrelationsOpen',
    labelOf(elementFields.correlatesWith),
    html`<div class=${className}>
      ${rowCorrelations({
        rows: values.correlatesWith ?? [],
        ownEntity: values.ownEntity !== false,
        columns,
        problemOf,
        onChange: set,
        onOwnEntity: (ownEntity) => set({ ownEntity: ownEntity ? undefined : false }),
      })}
    </div>`,
  );
}

function objectDetail({ kind, rowEstimate }: DataObjectView): string {
  return rowEstimate === undefined ? kind : `${kind} · ${t('about {0} rows', rowEstimate.toLocaleString('en'))}`;
}

function primaryKeyOf(dataObject: string | undefined, objects: readonly DataObjectView[]): string {
  if (objects.length === 0) return t('The primary key');
  const key = objects.find(({ name }) => name === dataObject)?.key ?? [];
  return key.length > 0 ? t('Primary key: {0}', key.join(', ')) : t('Choose what identifies an entity');
}
