import { type TemplateResult, html } from 'lit';
import type { CanvasIntent, ColumnView, DataObjectView, ElementValues } from '../../../protocol/canvas-intents.ts';
import type { ElementView } from '../../../protocol/graph-view.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { textField } from '../ui/controls.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { sqlField } from '../ui/sql-field.ts';
import { t } from '../ui/translate.ts';
import { columnChoices, timestamps } from './column-choices.ts';
import { dialogKeys } from './dialog-keys.ts';
import { conflictNotice, dialogDecision, dialogHeader } from './dialog-frame.ts';
import { createDialogCheck, drawOtherProblems } from './dialog-problems.ts';
import { conflicts, elementPatch, missingOf, rebased, tidyContext } from './element-draft.ts';
import { processContextFields, withoutEmptyLines } from './process-context.ts';
import { propertyList } from './property-list.ts';
import { createQueryPreview } from './query-preview.ts';

export interface ElementDialogOptions {
  readonly element: ElementView;
  readonly objects: readonly DataObjectView[];
  readonly ask: Ask;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<ElementValues>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<ElementValues>): void;
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

/** Edits an element. Input survives changes of the file. */
export function openElementDialog(options: ElementDialogOptions): OpenDialog {
  const { ask, objects, onConfirmed, onClosed } = options;
  const id = options.element.id;
  let file: ElementValues | undefined = options.element.values;
  let before: ElementValues = options.draft?.before ?? file;
  let values: ElementValues = options.draft?.values ?? before;
  let columns: readonly ColumnView[] = [];
  let filter = '';
  let conflicting: readonly (keyof ElementValues)[] = conflicts(before, values, file);
  let message: string | undefined;
  let loading = false;
  let confirming = false;
  let sqlOpen = [before.joins, before.where, before.startExpression, before.changeExpression].some(
    (sql) => sql !== undefined,
  );
  let contextOpen = options.showContext === true;

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
    const patch = elementPatch(before, values);
    const context = patch.processContext;
    const tidy = context ? tidyContext(withoutEmptyLines(context)) : context;
    return {
      kind: 'configureElement',
      element: id,
      values: { ...patch, ...(context === undefined ? {} : { processContext: tidy ?? null }) },
    };
  }

  function set(change: { readonly [K in keyof ElementValues]?: ElementValues[K] | undefined }): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as ElementValues;
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
  const missing = (): string | undefined => (file ? missingOf(values) : t('The element is no longer in the file.'));
  const obstacle = (): string | undefined => missing() ?? check.blocking;

  async function testQuery(): Promise<void> {
    if (values.activityName !== undefined) await preview.test({ kind: 'element', name: values.activityName }, intent());
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
    const name = values.activityName;
    const choices = columnChoices(columns);
    const times = columnChoices(columns, timestamps);
    const marked = (key: keyof ElementValues): string => (conflicting.includes(key) ? 'conflict' : '');
    return html`
      ${dialogHeader('element-dialog-title', t('Configure Element'), close)}
      <div class="body">
        ${conflictNotice(conflicting.length > 0)}
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
            ${combobox(
              t('Key'),
              (values.key ?? []).join(', '),
              choices,
              (text) => set({ key: keysOf(text, columns) }),
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
        <details .open=${sqlOpen} @toggle=${(event: Event) => (sqlOpen = (event.target as HTMLDetailsElement).open)}>
          <summary>${t('Advanced SQL')}</summary>
          <div class=${marked('joins')}>
            ${sqlField(t('Custom JOIN clauses'), values.joins ?? '', (joins) => set({ joins }), {
              id: 'joins',
              placeholder: `LEFT JOIN other ON other.id = ${values.dataObject ?? 'object'}.other_id`,
              problem: check.at('joins'),
            })}
          </div>
          <div class=${marked('where')}>
            ${sqlField(t('WHERE filter'), values.where ?? '', (where) => set({ where }), {
              id: 'where',
              placeholder: `${values.dataObject ?? 'object'}.active = true`,
              problem: check.at('where'),
            })}
          </div>
          <div class=${marked('startExpression')}>
            ${sqlField(
              t('Start Timestamp as SQL'),
              values.startExpression ?? '',
              (startExpression) => set({ startExpression, startTimestamp: undefined }),
              {
                id: 'start-expression',
                rows: 1,
                placeholder: t('Computes the time, instead of a column'),
                problem: values.startExpression === undefined ? undefined : check.at('startTimestamp'),
              },
            )}
          </div>
          <div class=${marked('changeExpression')}>
            ${sqlField(
              t('Change Timestamp as SQL'),
              values.changeExpression ?? '',
              (changeExpression) => set({ changeExpression, changeTimestamp: undefined }),
              {
                id: 'change-expression',
                rows: 1,
                placeholder: t('Computes the time, instead of a column'),
                problem: values.changeExpression === undefined ? undefined : check.at('changeTimestamp'),
              },
            )}
          </div>
          <div class="columns">
            ${combobox(t('Sequence'), values.sequence ?? '', choices, (sequence) => set({ sequence }), {
              placeholder: t('None: orders events of one time'),
              problem: problemOf('sequence'),
            })}
            ${combobox(
              t('Activity Column'),
              values.activityColumn ?? '',
              choices,
              (activityColumn) => set({ activityColumn }),
              {
                placeholder: t('None: all are this activity'),
                problem: problemOf('activityColumn'),
              },
            )}
          </div>
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
          disabled: name === undefined || values.dataObject === undefined,
          title: t('Run it and show the first rows (Ctrl+Enter)'),
          id: 'test-query',
        })}
        ${button(t('Show Query'), () => name !== undefined && void preview.show({ kind: 'element', name }, intent()), {
          disabled: name === undefined || values.dataObject === undefined,
          title: t('Open the exact query'),
        })}
        ${button(t('Load Property List'), () => void loadPropertyList(), {
          disabled: loading,
          title: t('Read tables and columns of the source anew'),
        })}
        ${dialogDecision({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  modal.open();
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
];

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
