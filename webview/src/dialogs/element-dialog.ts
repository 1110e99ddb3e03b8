import { type TemplateResult, html } from 'lit';
import type { CanvasIntent, ColumnView, DataObjectView, ElementValues } from '../../../protocol/canvas-intents.ts';
import type { ElementView } from '../../../protocol/graph-view.ts';
import type { QueryTarget } from '../../../protocol/query-results.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { textField } from '../ui/controls.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { advancedSqlFields } from './advanced-sql-fields.ts';
import { type DialogCatalog, drawCatalogNotice } from './dialog-catalog.ts';
import { columnChoices, timestamps } from './column-choices.ts';
import { dialogKeys } from './dialog-keys.ts';
import { conflictNotice, dialogDecision, dialogHeader } from './dialog-frame.ts';
import { createDialogCheck, drawOtherProblems } from './dialog-problems.ts';
import { type PreviewShare, dialogSplit } from './dialog-split.ts';
import { conflicts, contextIntent, elementPatch, missingOf, rebased } from './element-draft.ts';
import { fieldOf, propertiesWithField } from './element-fields.ts';
import { knownObjects } from '../catalog/objects-state.ts';
import { processContextFields } from './process-context.ts';
import { propertyList } from './property-list.ts';
import { createQueryPreview } from './query-preview.ts';

export interface ElementDialogOptions {
  readonly element: ElementView;
  readonly catalog: DialogCatalog;
  readonly ask: Ask;
  /** The kept size of the preview. */
  readonly share: () => PreviewShare;
  onShare(share: PreviewShare): void;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<ElementValues>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<ElementValues>): void;
  /** The file contains the values; `select` is the key of the element. */
  onConfirmed(select: string | undefined): void;
  onClosed(): void;
}

/** Original and current values of a dialog. */
export interface DialogDraft<T> {
  readonly before: T;
  readonly values: T;
  /** The opened sections and the filter. */
  readonly view?: DialogView;
}

export interface DialogView {
  readonly isSqlOpen: boolean;
  readonly isContextOpen: boolean;
  readonly filter: string;
}

/** An open dialog, updated with the file. */
export interface OpenDialog {
  /** The element or relationship in the current file; undefined when removed. */
  follow(view: unknown): void;
  /** The catalog is being read, is known, or could not be read. */
  catalogChanged(): void;
}

/** Edits an element. Input survives changes of the file. */
export function openElementDialog(options: ElementDialogOptions): OpenDialog {
  const { ask, catalog, onConfirmed, onClosed } = options;
  const id = options.element.id;
  let file: ElementValues | undefined = options.element.values;
  let before: ElementValues = options.draft?.before ?? file;
  let values: ElementValues = options.draft?.values ?? before;
  let columns: readonly ColumnView[] = [];
  let filter = options.draft?.view?.filter ?? '';
  let conflicting: readonly (keyof ElementValues)[] = conflicts(before, values, file);
  let message: string | undefined;
  let confirming = false;
  let sqlOpen =
    options.draft?.view?.isSqlOpen ??
    [before.joins, before.where, before.startExpression, before.changeExpression].some((sql) => sql !== undefined);
  let contextOpen = options.draft?.view?.isContextOpen ?? false;

  const modal: Modal = createModal({
    className: 'dialog element-dialog',
    labelledBy: 'element-dialog-title',
    draw,
    onCancel: close,
    onKey: dialogKeys({ confirm: () => void confirm(), testQuery: () => void testQuery() }),
  });
  const update = (): void => {
    modal.element.classList.toggle('with-preview', preview.isShown);
    modal.update();
  };
  const check = createDialogCheck(ask, () => intent(), update);
  const preview = createQueryPreview(
    ask,
    update,
    { nameOf: (property) => fieldOf(property, values)?.name, goToField: showField },
    ({ property }) => property !== undefined && showField(property, { quiet: true }),
  );

  function intent(): CanvasIntent {
    const patch = elementPatch(before, values);
    return { kind: 'configureElement', element: id, values: { ...patch, ...contextIntent(before, values) } };
  }

  function set(change: { readonly [K in keyof ElementValues]?: ElementValues[K] | undefined }): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as ElementValues;
    message = undefined;
    keepDraft();
    preview.edited();
    check.changed();
    update();
  }

  function keepDraft(): void {
    const view = { isSqlOpen: sqlOpen, isContextOpen: contextOpen, filter };
    options.onDraft({ before, values, view });
  }

  /** Opens its section and scrolls to a field; focuses it unless `quiet`. */
  function showField(property: string, { quiet = false } = {}): void {
    const field = fieldOf(property, values);
    if (!field) return;
    if (field.isAdvanced) sqlOpen = true;
    update();
    const control = modal.element.querySelector<HTMLElement>(`#${field.id}`);
    (control?.closest('.sql-field, eg-combobox') ?? control)?.scrollIntoView({ block: 'center' });
    if (!quiet) control?.focus();
  }

  async function loadColumns(): Promise<void> {
    const { dataObject, joins } = values;
    const wanted = { ...(dataObject === undefined ? {} : { dataObject }), ...(joins === undefined ? {} : { joins }) };
    const outcome = await ask('columns', { values: wanted });
    if (outcome.ok) columns = outcome.value;
    update();
  }

  const problemAt = (property: string) => preview.problemAt(property) ?? check.at(property);
  const problemOf = (property: string): string | undefined => problemAt(property)?.message;
  const missing = (): string | undefined => (file ? missingOf(values) : t('The element is no longer in the file.'));
  const obstacle = (): string | undefined => missing() ?? check.blocking ?? preview.blocking;

  async function testQuery(): Promise<void> {
    const { target, draft } = asked();
    if (values.dataObject !== undefined) await preview.test(target, draft);
  }

  /** Queries are addressed by activity names, so an element without one gets a name for the query only. */
  function asked(): { readonly target: QueryTarget; readonly draft: CanvasIntent } {
    const draft = intent();
    const name = values.activityName?.trim()
      ? values.activityName
      : t('Unnamed activity on {0}', values.dataObject ?? '');
    if (draft.kind !== 'configureElement' || name === values.activityName) {
      return { target: { kind: 'element', name }, draft };
    }
    const named = { ...draft, values: { ...draft.values, activityName: name } };
    return { target: { kind: 'element', name }, draft: named };
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
    return html`
      ${dialogHeader('element-dialog-title', t('Configure Element'), close)}
      ${dialogSplit({
        form: drawForm(),
        preview: preview.draw(),
        share: options.share(),
        onShare: (share) => {
          options.onShare(share);
          update();
        },
        onClose: preview.cancel,
      })}
      <footer>
        ${button(t('Test Query'), () => void testQuery(), {
          disabled: values.dataObject === undefined,
          title: t('Run it and show the first rows (Ctrl+Enter)'),
          id: 'test-query',
        })}
        ${button(t('Show Query'), () => void preview.show(asked().target, asked().draft), {
          disabled: values.dataObject === undefined,
          title: t('Open the exact query beside'),
        })}
        ${button(t('Load Property List'), () => catalog.load(true), {
          disabled: catalog.state().kind === 'loading',
          title: t('Read tables and columns of the source anew'),
        })}
        ${dialogDecision({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  function drawForm(): TemplateResult {
    const name = values.activityName;
    const objects = knownObjects(catalog.state());
    const choices = columnChoices(columns);
    const times = columnChoices(columns, timestamps);
    const marked = (key: keyof ElementValues): string => (conflicting.includes(key) ? 'conflict' : '');
    return html`
      ${drawCatalogNotice(catalog)} ${conflictNotice(conflicting.length > 0)}
      <div class="columns">
        <div class=${`wide ${marked('activityName')}`}>
          ${textField(`${t('Activity Name')} *`, name ?? '', (activityName) => set({ activityName }), {
            id: 'activity-name',
            placeholder: t('Verb, then subject: Open Incident'),
            autofocus: true,
          })}
        </div>
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
        <div class=${marked('startTimestamp')}>
          ${combobox(
            t('Start Timestamp'),
            values.startTimestamp ?? '',
            times,
            (startTimestamp) => set({ startTimestamp, startExpression: undefined }),
            {
              required: true,
              ...(values.startExpression === undefined ? {} : { placeholder: t('Computed by SQL') }),
              problem: values.startExpression === undefined ? problemOf('startTimestamp') : undefined,
              id: 'start-timestamp',
            },
          )}
        </div>
        <div class=${marked('changeTimestamp')}>
          ${combobox(
            t('Change Timestamp'),
            values.changeTimestamp ?? '',
            times,
            (changeTimestamp) => set({ changeTimestamp, changeExpression: undefined }),
            {
              placeholder: values.changeExpression === undefined ? t('None') : t('Computed by SQL'),
              problem: values.changeExpression === undefined ? problemOf('changeTimestamp') : undefined,
              id: 'change-timestamp',
            },
          )}
        </div>
        <div class=${marked('key')}>
          ${combobox(t('Key'), (values.key ?? []).join(', '), choices, (text) => set({ key: keysOf(text, columns) }), {
            placeholder: primaryKeyOf(values.dataObject, objects),
            problem: problemOf('key'),
            id: 'key',
          })}
        </div>
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
          filter,
          problem: problemOf('properties'),
          onFilter: (text) => {
            filter = text;
            keepDraft();
            update();
          },
          onChange: (properties) => set({ properties: properties?.length === 0 ? undefined : properties }),
        })}
      </div>
      <details .open=${sqlOpen} @toggle=${(event: Event) => (sqlOpen = (event.target as HTMLDetailsElement).open)}>
        <summary>${t('Advanced SQL')}</summary>
        ${advancedSqlFields({ values, columns, marked, problemAt, set })}
      </details>
      <details
        .open=${contextOpen}
        @toggle=${(event: Event) => (contextOpen = (event.target as HTMLDetailsElement).open)}
      >
        <summary>${t('Process Context')}</summary>
        ${processContextFields(values.processContext ?? {}, (processContext) => set({ processContext }))}
      </details>
      ${drawOtherProblems(check.problems, propertiesWithField)}
    `;
  }

  modal.open();
  keepDraft();
  void loadColumns();
  check.changed();
  return {
    follow(view) {
      file = (view as ElementView | undefined)?.values;
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
    catalogChanged() {
      update();
      if (catalog.state().kind !== 'known') return;
      void loadColumns();
      check.changed();
    },
  };
}

function objectDetail({ kind, rowEstimate }: DataObjectView): string {
  return rowEstimate === undefined ? kind : `${kind} · ${t('about {0} rows', rowEstimate.toLocaleString('en'))}`;
}

function primaryKeyOf(dataObject: string | undefined, objects: readonly DataObjectView[]): string {
  const key = objects.find(({ name }) => name === dataObject)?.key ?? [];
  return key.length > 0 ? t('Primary key: {0}', key.join(', ')) : t('Choose what identifies an entity');
}

/** Commas separate columns, unless a column name contains one. */
function keysOf(text: string, columns: readonly ColumnView[]): readonly string[] | undefined {
  if (text.trim() === '') return undefined;
  if (columns.some(({ name }) => name === text)) return [text];
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
