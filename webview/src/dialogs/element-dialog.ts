import type { TemplateResult } from 'lit';
import type { ColumnView, EntryDraft } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { type CardValues, configureIntent, queryOf, withoutEmptyRows } from './card-values.ts';
import {
  type DialogKind,
  type EditDialog,
  type EditDialogHost,
  type OpenDialog,
  createEditDialog,
} from './edit-dialog.ts';
import { contextIntent, elementPatch, missingOfCard } from './element-draft.ts';
import { fieldOf } from './element-fields.ts';
import { type DialogView, chosenSource, drawElementForm } from './element-form.ts';

/** Edits an element or master data. */
export const elementDialog: DialogKind = {
  open: ({ element, isContext, host }) => (element && !isContext ? openDialog({ element, ...host() }) : undefined),
};

interface ElementDialogOptions extends EditDialogHost<CardValues> {
  readonly element: CardView;
}

/** The open dialog, and what it shows besides the values. */
interface Form {
  readonly options: ElementDialogOptions;
  readonly dialog: EditDialog<CardValues>;
  columns: readonly ColumnView[];
  view: DialogView;
  /** What the columns suggest for a new entry, once they are known. */
  suggested?: EntryDraft | undefined;
  /** The values that the dialog filled in. */
  filled: Partial<CardValues>;
}

function openDialog(options: ElementDialogOptions): OpenDialog {
  const { element, catalog } = options;
  const dialog: EditDialog<CardValues> = createEditDialog(options, {
    name: 'element',
    title: element.isMasterData ? t('Configure Master Data') : t('Configure Element'),
    file: element.values,
    patchOf: elementPatch,
    intent: () => intentOf(form),
    missing: () => missingOfCard(element, dialog.values),
    gone: t('The element is no longer in the file.'),
    query: () => (dialog.values.dataObject === undefined ? undefined : queryOf(element, dialog.values, intentOf(form))),
    fields: { nameOf: (property) => fieldOf(property, dialog.values)?.name },
    showField: (...field) => showField(form, ...field),
    load: () => loadColumns(form),
    catalogChanged(isKnown) {
      if (!isKnown) return;
      void loadColumns(form);
      dialog.check.changed();
    },
    draw: () => drawForm(form),
    drawActions: () =>
      button(t('Load Property List'), () => catalog.load(true), {
        disabled: catalog.state().kind === 'loading',
        title: t('Read tables and columns of the source again'),
      }),
    keeps: () => form.view,
  });
  const form: Form = {
    options,
    dialog,
    columns: [],
    view: options.draft?.view ?? firstView(dialog.before),
    filled: {},
  };

  dialog.open();
  return dialog;
}

/** Sections that have values are open. */
function firstView(opened: CardValues): DialogView {
  const { joins, where, startExpression, changeExpression, endExpression } = opened;
  return {
    isSqlOpen: [joins, where, startExpression, changeExpression, endExpression].some((sql) => sql !== undefined),
    isContextOpen: false,
    isLifecycleOpen: opened.lifecycle !== undefined,
    areNamesOpen: opened.activityNames !== undefined,
    areExpectationsOpen: opened.expect !== undefined,
    areCorrelationsOpen: opened.correlatesWith !== undefined || opened.ownEntity === false,
    filter: '',
  };
}

function intentOf({ options: { element }, dialog: { before, values } }: Form) {
  const patch = elementPatch(before, withoutEmptyRows(values));
  return configureIntent(element, { ...patch, ...contextIntent(before, values) });
}

function setView(form: Form, change: Partial<DialogView>): void {
  const next = { ...form.view, ...change };
  // Sections drawn as open report that they were opened, too.
  if (JSON.stringify(next) === JSON.stringify(form.view)) return;
  form.view = next;
  form.dialog.keepDraft();
}

/** Opens its section and scrolls to a field; focuses it unless `quiet`. */
function showField(form: Form, property: string, { quiet = false } = {}): void {
  const { dialog } = form;
  const field = fieldOf(property, dialog.values);
  if (!field) return;
  if (field.section) setView(form, { [field.section]: true });
  dialog.update();
  const control = dialog.modal.element.querySelector<HTMLElement>(`#${field.id}`);
  (control?.closest('.sql-field, eg-combobox') ?? control)?.scrollIntoView({ block: 'center' });
  if (!quiet) control?.focus();
}

async function loadColumns(form: Form): Promise<void> {
  const { dialog, options } = form;
  const { dataObject, joins } = dialog.values;
  const dataSource = chosenSource(options.element, dialog.values);
  const outcome = await options.ask('columns', { values: { dataObject, joins, dataSource } });
  if (outcome.ok) form.columns = outcome.value;
  await fillIn(form);
  dialog.update();
}

/** Fills in a new entry, once, from what its columns suggest. */
async function fillIn(form: Form): Promise<void> {
  const { options, dialog } = form;
  const { element, draft } = options;
  if (form.suggested || !isNew(element.values)) return;
  const { dataSource, values } = element;
  const outcome = await options.ask('draftEntry', { values: { dataObject: values.dataObject, dataSource } });
  if (!outcome.ok || !outcome.value || form.suggested) return;
  form.suggested = outcome.value;
  const isUntouched = JSON.stringify(dialog.values) === JSON.stringify(dialog.before);
  const suggested: CardValues | undefined = element.isMasterData ? outcome.value.masterData : outcome.value.element;
  if (!suggested || draft || !isUntouched) return;
  form.filled = { ...suggested, ...element.values };
  for (const key of Object.keys(element.values)) delete form.filled[key as keyof CardValues];
  dialog.set(form.filled);
  setView(form, { ...firstView(dialog.values), areCorrelationsOpen: false });
}

/** The fields that still have the values which the dialog filled in. */
function untouched({ filled, dialog: { values } }: Form): readonly string[] {
  return (Object.keys(filled) as (keyof CardValues)[]).filter(
    (key) => JSON.stringify(values[key]) === JSON.stringify(filled[key]),
  );
}

/** Nothing but its data object is known. */
function isNew({ dataObject, dataSource: _, ...others }: CardValues): boolean {
  return dataObject !== undefined && Object.keys(others).length === 0;
}

/** Columns without times make no events. */
function lacksTimes({ suggested, options, dialog }: Form): boolean {
  const { dataObject, dataSource, startTimestamp, startExpression, joins } = dialog.values;
  return (
    suggested !== undefined &&
    !suggested.element &&
    !options.element.isMasterData &&
    dataObject === options.element.values.dataObject &&
    dataSource === options.element.values.dataSource &&
    [startTimestamp, startExpression, joins].every((each) => each === undefined)
  );
}

function drawForm(form: Form): TemplateResult {
  const { options, dialog, columns, view } = form;
  const { values, conflicting, preview, check, set } = dialog;
  return drawElementForm({
    element: options.element,
    values,
    columns,
    catalog: options.catalog,
    conflicting,
    view,
    set,
    problemAt: (property) => preview.problemAt(property) ?? check.at(property),
    problems: check.problems,
    setView(change) {
      setView(form, change);
      if (change.filter !== undefined) dialog.update();
    },
    filled: untouched(form),
    onClear() {
      const cleared = untouched(form);
      set(Object.fromEntries(cleared.map((key) => [key, undefined])));
      form.filled = {};
      dialog.update();
      const [first] = cleared;
      if (first !== undefined) showField(form, first.replace(/Expression$/, 'Timestamp'));
    },
    onMasterData: lacksTimes(form)
      ? () => {
          dialog.close();
          options.becomeMasterData(options.element);
        }
      : undefined,
    setSource(change) {
      set(change);
      void loadColumns(form);
    },
  });
}
