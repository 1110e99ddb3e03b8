import { type TemplateResult, html, nothing } from 'lit';
import type { CanvasIntent, ColumnView, DataObjectView } from '../../../protocol/canvas-intents.ts';
import { cardTarget } from '../../../protocol/card-name.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { textField } from '../ui/controls.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { advancedSqlFields } from './advanced-sql-fields.ts';
import { type CardValues, configureIntent, nameInQueries, withoutEmptyRows } from './card-values.ts';
import { columnChoices } from './column-choices.ts';
import { dialogKeys } from './dialog-keys.ts';
import { conflictNotice, dialogFooter, dialogHeader } from './dialog-header-footer.ts';
import { createDialogCheck, drawOtherProblems } from './dialog-problems.ts';
import { conflicts, elementPatch, missingOfCard, rebased, tidyContext } from './element-draft.ts';
import { keyColumns } from './key-columns.ts';
import { processContextFields, withoutEmptyLines } from './process-context.ts';
import { propertyList } from './property-list.ts';
import { createQueryPreview } from './query-preview.ts';
import { rowCorrelations } from './row-correlations.ts';
import { timeFields } from './time-fields.ts';

export interface ElementDialogOptions {
  readonly element: CardView;
  readonly objects: readonly DataObjectView[];
  readonly ask: Ask;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<CardValues>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<CardValues>): void;
  /** Opens with the annotation expanded. */
  readonly showContext?: boolean;
  /** The file contains the values; `select` is the key of the element. */
  onConfirmed(select: string | undefined): void;
  onClosed(): void;
}

/** Original and current values of a dialog. */
export interface DialogDraft<T> {
  readonly before: T;
  readonly values: T;
}

/** An open dialog, updated with the file. */
export interface OpenDialog {
  /** The element or relationship in the current file; undefined when removed. */
  follow(view: unknown): void;
}

/** Edits an element or master data. Input survives changes of the file. */
export function openElementDialog(options: ElementDialogOptions): OpenDialog {
  const { ask, objects, onConfirmed, onClosed } = options;
  const { element } = options;
  let file: CardValues | undefined = element.values;
  let before: CardValues = options.draft?.before ?? file;
  let values: CardValues = options.draft?.values ?? before;
  let columns: readonly ColumnView[] = [];
  let filter = '';
  let conflicting: readonly (keyof CardValues)[] = conflicts(before, values, file);
  let message: string | undefined;
  let loading = false;
  let confirming = false;
  let sqlOpen = [before.joins, before.where, before.startExpression, before.changeExpression].some(
    (sql) => sql !== undefined,
  );
  let contextOpen = options.showContext === true;
  let correlationsOpen = before.correlatesWith !== undefined || before.ownEntity === false;

  const modal: Modal = createModal({
    className: 'dialog element-dialog',
    labelledBy: 'element-dialog-title',
    draw,
    onCancel: close,
    onKey: dialogKeys({ confirm: () => void confirm(), testQuery: () => void testQuery() }),
  });
  const update = (): void => modal.update();
  const check = createDialogCheck(ask, () => intent(), update);
  const preview = createQueryPreview(ask, update);

  function intent(): CanvasIntent {
    const patch = elementPatch(before, withoutEmptyRows(values));
    const context = patch.processContext;
    const tidy = context ? tidyContext(withoutEmptyLines(context)) : context;
    return configureIntent(element, {
      ...patch,
      ...(context === undefined ? {} : { processContext: tidy ?? null }),
    });
  }

  function set(change: { readonly [K in keyof CardValues]?: CardValues[K] | undefined }): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as CardValues;
    message = undefined;
    options.onDraft({ before, values });
    check.changed();
    update();
  }

  async function loadColumns(): Promise<void> {
    const { dataObject, joins } = values;
    const wanted = { ...(dataObject === undefined ? {} : { dataObject }), ...(joins === undefined ? {} : { joins }) };
    const outcome = await ask('columns', { values: wanted });
    if (outcome.ok) columns = outcome.value;
    update();
  }

  /** Reads the source again, because tables and columns may be new. */
  async function loadPropertyList(): Promise<void> {
    loading = true;
    message = undefined;
    update();
    const outcome = await ask('dataObjects', { refresh: true });
    loading = false;
    if (!outcome.ok && outcome.error.code !== 'cancelled') message = outcome.error.message;
    await loadColumns();
    check.changed();
  }

  const problemOf = (property: string): string | undefined => check.at(property)?.message;
  const missing = (): string | undefined =>
    file ? missingOfCard(element, values) : t('The element is no longer in the file.');
  const obstacle = (): string | undefined => missing() ?? check.blocking;

  async function testQuery(): Promise<void> {
    const target = cardTarget(element, nameInQueries(element, values));
    if (target) await preview.test(target, intent());
  }

  async function confirm(): Promise<void> {
    // The problems may be fixed since.
    if (confirming || missing() !== undefined) return update();
    if (conflicting.length > 0) {
      // Confirmed again after the conflict was shown: the dialog's values win over those of the file.
      values = file ? rebased(before, values, file) : values;
      before = file ?? before;
      conflicting = [];
    }
    confirming = true;
    // The latest input may not have been validated yet.
    await check.now();
    const outcome = obstacle() === undefined ? await ask('edit', { intent: intent() }) : undefined;
    confirming = false;
    if (!outcome) return update();
    if (!outcome.ok) {
      message = outcome.error.message;
      return update();
    }
    close();
    onConfirmed(outcome.value.select);
  }

  function close(): void {
    check.stop();
    preview.cancel();
    modal.close();
    onClosed();
  }

  function draw(): TemplateResult {
    const why = obstacle();
    const target = cardTarget(element, nameInQueries(element, values));
    const choices = columnChoices(columns);
    const marked = (key: keyof CardValues): string => (conflicting.includes(key) ? 'conflict' : '');
    return html`
      ${dialogHeader('element-dialog-title', element.isMasterData ? t('Configure Master Data') : t('Configure Element'), close)}
      <div class="body">
        ${conflictNotice(conflicting.length > 0)}
        <div class="columns">
          ${element.isMasterData ? drawName(marked('name')) : drawActivityName(marked('activityName'))}
          <div class=${`wide ${marked('dataObject')}`}>
            ${combobox(
              t('Data Object'),
              values.dataObject ?? '',
              objects.map((object) => ({ value: object.name, detail: objectDetail(object) })),
              (dataObject) => {
                set({ dataObject });
                void loadColumns();
              },
              { required: true, problem: problemOf('dataObject'), id: 'data-object' },
            )}
          </div>
          ${element.isMasterData ? nothing : timeFields({ values, columns, marked, problemOf, set })}
          <div class=${marked('key')}>
            ${combobox(
              t('Key'),
              (values.key ?? []).join(', '),
              choices,
              (text) => set({ key: keyColumns(text, columns) }),
              {
                placeholder: primaryKeyOf(values.dataObject, objects),
                problem: problemOf('key'),
                id: 'key',
              },
            )}
          </div>
          <div class=${marked('entityType')}>
            ${textField(t('Entity Type'), values.entityType ?? '', (entityType) => set({ entityType }), {
              placeholder: values.dataObject ?? t('As the data object'),
            })}
          </div>
        </div>
        <div class=${marked('properties')}>
          ${propertyList({
            columns,
            value: values.properties,
            filter,
            problem: problemOf('properties'),
            onFilter: (text) => {
              filter = text;
              update();
            },
            onChange: (properties) => set({ properties: properties?.length === 0 ? undefined : properties }),
          })}
        </div>
        ${element.isMasterData ? nothing : drawCorrelations(marked)}
        <details .open=${sqlOpen} @toggle=${(event: Event) => (sqlOpen = (event.target as HTMLDetailsElement).open)}>
          <summary>${t('Advanced SQL')}</summary>
          ${advancedSqlFields({ isMasterData: element.isMasterData === true, values, columns, marked, problemAt: check.at, set })}
        </details>
        <details
          .open=${contextOpen}
          @toggle=${(event: Event) => (contextOpen = (event.target as HTMLDetailsElement).open)}
        >
          <summary>${t('Process Context')}</summary>
          ${processContextFields(values.processContext ?? {}, (processContext) => set({ processContext }))}
        </details>
        ${drawOtherProblems(check.problems, shownProblems)} ${preview.draw()}
      </div>
      <footer>
        ${button(t('Test Query'), () => void testQuery(), {
          disabled: target === undefined || values.dataObject === undefined,
          title: t('Run it and show the first rows (Ctrl+Enter)'),
          id: 'test-query',
        })}
        ${button(t('Show Query'), () => target && void preview.show(target, intent()), {
          disabled: target === undefined || values.dataObject === undefined,
          title: t('Open the exact query'),
        })}
        ${button(t('Load Property List'), () => void loadPropertyList(), {
          disabled: loading,
          title: t('Read tables and columns of the source anew'),
        })}
        ${dialogFooter({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  function drawActivityName(className: string): TemplateResult {
    return html`<div class=${`wide ${className}`}>
      ${textField(`${t('Activity Name')} *`, values.activityName ?? '', (activityName) => set({ activityName }), {
        id: 'activity-name',
        placeholder: t('Verb, then subject: Open Incident'),
        autofocus: true,
      })}
    </div>`;
  }

  function drawName(className: string): TemplateResult {
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

  function drawCorrelations(marked: (key: keyof CardValues) => string): TemplateResult {
    return html`<details
      .open=${correlationsOpen}
      @toggle=${(event: Event) => (correlationsOpen = (event.target as HTMLDetailsElement).open)}
    >
      <summary>${t('Entities of Each Row')}</summary>
      <div class=${`${marked('correlatesWith')} ${marked('ownEntity')}`}>
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

  modal.open();
  void loadColumns();
  check.changed();
  return {
    follow(view) {
      file = (view as CardView | undefined)?.values;
      if (file) {
        conflicting = conflicts(before, values, file);
        if (conflicting.length === 0) {
          values = rebased(before, values, file);
          before = file;
        }
      }
      check.changed();
      update();
    },
  };
}

/** Fields that show their own problems. */
const shownProblems = [
  'dataObject',
  'startTimestamp',
  'changeTimestamp',
  'key',
  'properties',
  'joins',
  'where',
  'sequence',
  'activityColumn',
  'correlatesWith',
  'ownEntity',
];

function objectDetail({ kind, rowEstimate }: DataObjectView): string {
  return rowEstimate === undefined ? kind : `${kind} · ${t('about {0} rows', rowEstimate.toLocaleString('en'))}`;
}

function primaryKeyOf(dataObject: string | undefined, objects: readonly DataObjectView[]): string {
  const key = objects.find(({ name }) => name === dataObject)?.key ?? [];
  return key.length > 0 ? t('Primary key: {0}', key.join(', ')) : t('Choose what identifies an entity');
}
