import { type TemplateResult, html, nothing } from 'lit';
import type { ColumnView, DataObjectView, IntentProblem } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { elementFields } from '../../../protocol/fields/element.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { combobox } from '../ui/combobox.ts';
import { textField } from '../ui/controls.ts';
import { t } from '../ui/translate.ts';
import { advancedSqlFields, columnFields } from './advanced-sql-fields.ts';
import type { CardValues } from './card-values.ts';
import { columnChoices } from './column-choices.ts';
import { type DialogCatalog, drawCatalogNotice } from './dialog-catalog.ts';
import { conflictNotice } from './dialog-header-footer.ts';
import { drawOtherProblems } from './dialog-problems.ts';
import { propertiesWithField } from './element-fields.ts';
import { keyColumns } from './key-columns.ts';
import { processContextFields } from './process-context.ts';
import { propertyList } from './property-list.ts';
import type { FieldProblem } from './query-preview.ts';
import { rowCorrelations } from './row-correlations.ts';
import { timeFields } from './time-fields.ts';

/** The opened sections and the filter of a dialog. */
export interface DialogView {
  readonly isSqlOpen: boolean;
  readonly isContextOpen: boolean;
  readonly areCorrelationsOpen: boolean;
  readonly filter: string;
}

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
  onDataObject(dataObject: string): void;
}

/** The fields of an element or of master data. */
export function drawElementForm(options: ElementFormOptions): TemplateResult {
  const { element, values, columns, catalog, conflicting, view, problemAt, set, setView } = options;
  const objects = catalog.objectsOf(element.dataSource);
  const problemOf = (property: string): string | undefined => problemAt(property)?.message;
  const marked = (key: keyof CardValues): string => (conflicting.includes(key) ? 'conflict' : '');
  const isMasterData = element.isMasterData === true;
  return html`
    ${drawCatalogNotice(catalog)} ${conflictNotice(conflicting.length > 0)}
    <div class="columns">
      ${isMasterData ? drawName(options, marked('name')) : drawActivityName(options, marked('activityName'))}
      <div class=${`wide ${marked('dataObject')}`}>
        ${combobox(
          t('Data Object'),
          values.dataObject ?? '',
          objects.map((object) => ({ value: object.name, detail: objectDetail(object) })),
          options.onDataObject,
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
    <details .open=${view.isSqlOpen} @toggle=${(event: Event) => setView({ isSqlOpen: isOpen(event) })}>
      <summary>${t('Advanced SQL')}</summary>
      ${advancedSqlFields({ isMasterData, values, columns, marked, problemAt, set })}
    </details>
    <details .open=${view.isContextOpen} @toggle=${(event: Event) => setView({ isContextOpen: isOpen(event) })}>
      <summary>${t('Process Context')}</summary>
      ${processContextFields(values.processContext ?? {}, (processContext) => set({ processContext }))}
    </details>
    ${drawOtherProblems(options.problems, propertiesWithField)}
  `;
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
  { values, columns, view, set, setView }: ElementFormOptions,
  problemOf: (property: string) => string | undefined,
  className: string,
): TemplateResult {
  return html`<details
    .open=${view.areCorrelationsOpen}
    @toggle=${(event: Event) => setView({ areCorrelationsOpen: isOpen(event) })}
  >
    <summary>${t('Entities of Each Row')}</summary>
    <div class=${className}>
      ${rowCorrelations({
        rows: values.correlatesWith ?? [],
        ownEntity: values.ownEntity !== false,
        columns,
        problemOf,
        onChange: set,
        onOwnEntity: (ownEntity) => set({ ownEntity: ownEntity ? undefined : false }),
      })}
    </div>
  </details>`;
}

function objectDetail({ kind, rowEstimate }: DataObjectView): string {
  return rowEstimate === undefined ? kind : `${kind} · ${t('about {0} rows', rowEstimate.toLocaleString('en'))}`;
}

function primaryKeyOf(dataObject: string | undefined, objects: readonly DataObjectView[]): string {
  if (objects.length === 0) return t('The primary key');
  const key = objects.find(({ name }) => name === dataObject)?.key ?? [];
  return key.length > 0 ? t('Primary key: {0}', key.join(', ')) : t('Choose what identifies an entity');
}
