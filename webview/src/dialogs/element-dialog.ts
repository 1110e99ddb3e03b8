import { type TemplateResult, html } from 'lit';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { type CardValues, configureIntent, queryOf, withoutEmptyRows } from './card-values.ts';
import type { DialogCatalog } from './dialog-catalog.ts';
import { type EditDialog, type EditDialogHost, type OpenDialog, createEditDialog } from './edit-dialog.ts';
import { contextIntent, elementPatch, missingOfCard } from './element-draft.ts';
import { fieldOf } from './element-fields.ts';
import { type DialogView, drawElementForm } from './element-form.ts';

interface ElementDialogOptions extends EditDialogHost<CardValues> {
  readonly element: CardView;
  readonly catalog: DialogCatalog;
}

/** Edits an element or master data. */
// eslint-disable-next-line max-lines-per-function -- The state of one dialog, shared by small functions.
export function openElementDialog(options: ElementDialogOptions): OpenDialog {
  const { ask, catalog, element } = options;
  let columns: readonly ColumnView[] = [];
  const opened: CardValues = options.draft?.before ?? element.values;
  let view: DialogView = options.draft?.view ?? {
    isSqlOpen: [opened.joins, opened.where, opened.startExpression, opened.changeExpression, opened.endExpression].some(
      (sql) => sql !== undefined,
    ),
    isContextOpen: false,
    areCorrelationsOpen: opened.correlatesWith !== undefined || opened.ownEntity === false,
    filter: '',
  };

  const dialog: EditDialog<CardValues> = createEditDialog(options, {
    name: 'element',
    title: element.isMasterData ? t('Configure Master Data') : t('Configure Element'),
    file: element.values,
    patchOf: elementPatch,
    intent,
    missing: () => missingOfCard(element, dialog.values),
    gone: t('The element is no longer in the file.'),
    fields: { nameOf: (property) => fieldOf(property, dialog.values)?.name },
    view: () => view,
    showField,
    testQuery,
    drawForm,
    drawActions,
  });
  const { modal, check, preview, set, update } = dialog;

  function intent(): CanvasIntent {
    const { before, values } = dialog;
    const patch = elementPatch(before, withoutEmptyRows(values));
    return configureIntent(element, { ...patch, ...contextIntent(before, values) });
  }

  function setView(change: Partial<DialogView>): void {
    const next = { ...view, ...change };
    // Sections drawn as open report that they were opened, too.
    if (JSON.stringify(next) === JSON.stringify(view)) return;
    view = next;
    dialog.keepDraft();
  }

  /** Opens its section and scrolls to a field; focuses it unless `quiet`. */
  function showField(property: string, { quiet = false } = {}): void {
    const field = fieldOf(property, dialog.values);
    if (!field) return;
    if (field.section) setView({ [field.section]: true });
    update();
    const control = modal.element.querySelector<HTMLElement>(`#${field.id}`);
    (control?.closest('.sql-field, eg-combobox') ?? control)?.scrollIntoView({ block: 'center' });
    if (!quiet) control?.focus();
  }

  async function loadColumns(): Promise<void> {
    const { dataObject, joins } = dialog.values;
    const outcome = await ask('columns', { values: { dataObject, joins, dataSource: element.dataSource } });
    if (outcome.ok) columns = outcome.value;
    update();
  }

  async function testQuery(): Promise<void> {
    const { target, draft } = queryOf(element, dialog.values, intent());
    if (dialog.values.dataObject !== undefined) await preview.test(target, draft);
  }

  async function showQuery(): Promise<void> {
    const { target, draft } = queryOf(element, dialog.values, intent());
    await preview.show(target, draft);
  }

  function drawActions(): TemplateResult {
    const disabled = dialog.values.dataObject === undefined;
    return html`
      ${button(t('Test Query'), () => void testQuery(), {
        disabled,
        title: t('Run it and show the first rows (Ctrl+Enter)'),
        id: 'test-query',
      })}
      ${button(t('Show Query'), () => void showQuery(), {
        disabled,
        title: t('Open the exact query beside'),
      })}
      ${button(t('Load Property List'), () => catalog.load(true), {
        disabled: catalog.state().kind === 'loading',
        title: t('Read tables and columns of the source again'),
      })}
    `;
  }

  function drawForm(): TemplateResult {
    const { values, conflicting } = dialog;
    return drawElementForm({
      element,
      values,
      columns,
      catalog,
      conflicting,
      view,
      set,
      problemAt: (property) => preview.problemAt(property) ?? check.at(property),
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

  dialog.open(loadColumns);
  return {
    follow: (now) => dialog.follow((now as CardView | undefined)?.values),
    catalogChanged() {
      update();
      if (catalog.state().kind !== 'known') return;
      void loadColumns();
      check.changed();
    },
  };
}
