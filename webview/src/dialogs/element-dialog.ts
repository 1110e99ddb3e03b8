import { type TemplateResult, html } from 'lit';
import type { CanvasIntent, ColumnView } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { type Modal, createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { type CardValues, configureIntent, queryOf, withoutEmptyRows } from './card-values.ts';
import type { DialogCatalog } from './dialog-catalog.ts';
import { dialogKeys } from './dialog-keys.ts';
import { dialogFooter, dialogHeader } from './dialog-header-footer.ts';
import { createDialogCheck } from './dialog-problems.ts';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import { dialogSplit } from './dialog-split.ts';
import { conflicts, contextIntent, elementPatch, missingOfCard, rebased } from './element-draft.ts';
import { fieldOf } from './element-fields.ts';
import { type DialogView, drawElementForm } from './element-form.ts';
import { createQueryPreview } from './query-preview.ts';

export interface ElementDialogOptions {
  readonly element: CardView;
  readonly catalog: DialogCatalog;
  readonly ask: Ask;
  /** The kept size of the preview. */
  readonly share: () => PreviewShare;
  onShare(share: PreviewShare): void;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<CardValues>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<CardValues>): void;
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
  /** How far the form is scrolled. */
  readonly scrollTop?: number;
}

/** An open dialog, updated with the file. */
export interface OpenDialog {
  /** The element or relationship in the current file; undefined when removed. */
  follow(view: unknown): void;
  /** The catalog is being read, is known, or could not be read. */
  catalogChanged(): void;
}

/** Edits an element or master data. Input survives changes of the file. */
export function openElementDialog(options: ElementDialogOptions): OpenDialog {
  const { ask, catalog, onConfirmed, onClosed } = options;
  const { element } = options;
  let file: CardValues | undefined = element.values;
  let before: CardValues = options.draft?.before ?? file;
  let values: CardValues = options.draft?.values ?? before;
  let columns: readonly ColumnView[] = [];
  let conflicting: readonly (keyof CardValues)[] = conflicts(before, values, file);
  let message: string | undefined;
  let confirming = false;
  let scrollTop = options.draft?.scrollTop ?? 0;
  let view: DialogView = options.draft?.view ?? {
    isSqlOpen: [before.joins, before.where, before.startExpression, before.changeExpression].some(
      (sql) => sql !== undefined,
    ),
    isContextOpen: false,
    areCorrelationsOpen: before.correlatesWith !== undefined || before.ownEntity === false,
    filter: '',
  };

  const modal: Modal = createModal({
    className: 'dialog element-dialog',
    labelledBy: 'element-dialog-title',
    draw,
    onCancel: close,
    onScroll(top) {
      scrollTop = top;
      keepDraft();
    },
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
    const patch = elementPatch(before, withoutEmptyRows(values));
    return configureIntent(element, { ...patch, ...contextIntent(before, values) });
  }

  function set(change: { readonly [K in keyof CardValues]?: CardValues[K] | undefined }): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as CardValues;
    message = undefined;
    keepDraft();
    preview.edited();
    check.changed();
    update();
  }

  function keepDraft(): void {
    options.onDraft({ before, values, view, scrollTop });
  }

  function setView(change: Partial<DialogView>): void {
    const next = { ...view, ...change };
    // Sections drawn as open report that they were opened, too.
    if (JSON.stringify(next) === JSON.stringify(view)) return;
    view = next;
    keepDraft();
  }

  /** Opens its section and scrolls to a field; focuses it unless `quiet`. */
  function showField(property: string, { quiet = false } = {}): void {
    const field = fieldOf(property, values);
    if (!field) return;
    if (field.section) setView({ [field.section]: true });
    update();
    const control = modal.element.querySelector<HTMLElement>(`#${field.id}`);
    (control?.closest('.sql-field, eg-combobox') ?? control)?.scrollIntoView({ block: 'center' });
    if (!quiet) control?.focus();
  }

  async function loadColumns(): Promise<void> {
    const { dataObject, joins } = values;
    const { dataSource } = element;
    const wanted = {
      ...(dataObject === undefined ? {} : { dataObject }),
      ...(joins === undefined ? {} : { joins }),
      ...(dataSource === undefined ? {} : { dataSource }),
    };
    const outcome = await ask('columns', { values: wanted });
    if (outcome.ok) columns = outcome.value;
    update();
  }

  const problemAt = (property: string) => preview.problemAt(property) ?? check.at(property);
  const missing = (): string | undefined =>
    file ? missingOfCard(element, values) : t('The element is no longer in the file.');
  const obstacle = (): string | undefined => missing() ?? check.blocking ?? preview.blocking;

  async function testQuery(): Promise<void> {
    const { target, draft } = queryOf(element, values, intent());
    if (values.dataObject !== undefined) await preview.test(target, draft);
  }

  async function showQuery(): Promise<void> {
    const { target, draft } = queryOf(element, values, intent());
    await preview.show(target, draft);
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
      ${dialogHeader('element-dialog-title', element.isMasterData ? t('Configure Master Data') : t('Configure Element'), close)}
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
        ${button(t('Show Query'), () => void showQuery(), {
          disabled: values.dataObject === undefined,
          title: t('Open the exact query beside'),
        })}
        ${button(t('Load Property List'), () => catalog.load(true), {
          disabled: catalog.state().kind === 'loading',
          title: t('Read tables and columns of the source anew'),
        })}
        ${dialogFooter({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  function drawForm(): TemplateResult {
    return drawElementForm({
      ...{ element, values, columns, catalog, conflicting, view, problemAt, set },
      problems: check.problems,
      setView(change) {
        setView(change);
        if (change.filter !== undefined) update();
      },
      onDataObject(dataObject) {
        set({ dataObject });
        void loadColumns();
      },
    });
  }

  modal.open();
  keepDraft();
  void loadColumns().then(() => modal.scrollTo(scrollTop));
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
    catalogChanged() {
      update();
      if (catalog.state().kind !== 'known') return;
      void loadColumns();
      check.changed();
    },
  };
}
