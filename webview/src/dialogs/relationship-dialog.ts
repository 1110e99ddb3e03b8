import { type TemplateResult, html, nothing } from 'lit';
import type {
  ColumnView,
  JoinSuggestion,
  MappingValues,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { relationshipFields } from '../../../protocol/fields/relationship.ts';
import type { CardView, RelationshipView } from '../../../protocol/graph-view.ts';
import { endsText } from '../../../protocol/relationship-name.ts';
import { button } from '../ui/button.ts';
import { textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { labelOf, t } from '../ui/translate.ts';
import { correlationChoice } from './correlation-choice.ts';
import { crossTableFields } from './cross-table-fields.ts';
import { drawCatalogNotice } from './dialog-catalog.ts';
import { conflictNotice } from './dialog-header-footer.ts';
import { drawOtherProblems, drawSentence, isBelow } from './dialog-problems.ts';
import {
  type DialogKind,
  type EditDialog,
  type EditDialogHost,
  type OpenDialog,
  createEditDialog,
} from './edit-dialog.ts';
import { drawSuggestions } from './join-suggestion.ts';
import { mappingRow } from './mapping-rows.ts';
import { pathSteps } from './path-steps.ts';
import { propertyPanel } from './property-panel.ts';
import { isHalf, noCrossTable, relationshipPatch, draftReason } from './relationship-draft.ts';
import { endField, endNames, endOf } from './relationship-ends.ts';
import { textFields } from './text-fields.ts';
import { type Sides, columnsOfElement, fieldName, mappedNames, shownProperties } from './relationship-columns.ts';
import { type NewEntries, createNewEntries } from './new-entries.ts';

/** Edits a relationship: mappings, SQL conditions, a cross table. */
export const relationshipDialog: DialogKind = {
  open: ({ relationship, cards, host }) => (relationship ? openDialog({ relationship, cards, ...host() }) : undefined),
};

interface RelationshipDialogOptions extends EditDialogHost<RelationshipValues> {
  readonly relationship: RelationshipView;
  /** All that a relationship may end at. */
  cards(): readonly CardView[];
}

/** The open dialog, and what it has read and been told besides the values. */
interface Form {
  readonly options: RelationshipDialogOptions;
  readonly dialog: EditDialog<RelationshipValues>;
  readonly untouched: NewEntries;
  columns: Sides<readonly ColumnView[]>;
  crossColumns: readonly ColumnView[];
  suggestions: readonly JoinSuggestion[];
  added: Sides<readonly string[]>;
  picked: { readonly side: 'source' | 'target'; readonly name: string } | undefined;
}

function openDialog(options: RelationshipDialogOptions): OpenDialog {
  const { relationship } = options;
  const dialog: EditDialog<RelationshipValues> = createEditDialog(options, {
    name: 'relationship',
    title: t('Configure Relationship'),
    file: relationship.values,
    patchOf: relationshipPatch,
    intent: () => intentOf(form),
    missing: () => draftReason(dialog.values),
    gone: t('The relationship is no longer in the file.'),
    fields: { ends: () => endNames(dialog.values), nameOf: fieldName },
    showField: (...field) => showField(form, ...field),
    query: () => queryOf(form),
    load: () => load(form),
    catalogChanged(isKnown) {
      // The data source of the cross table may be known now, although that of the graph is not.
      void (isKnown ? load(form) : loadCross(form));
      dialog.check.changed();
    },
    draw: () => drawForm(form),
  });
  const form: Form = {
    options,
    dialog,
    untouched: createNewEntries(dialog.update),
    columns: { source: [], target: [] },
    crossColumns: [],
    suggestions: [],
    added: { source: [], target: [] },
    picked: undefined,
  };

  dialog.open();
  return dialog;
}

function intentOf({ options, dialog }: Form): CanvasIntent {
  const { before, values } = dialog;
  return {
    kind: 'configureRelationship',
    relationship: options.relationship.id,
    values: relationshipPatch(before, values),
  };
}

async function load(form: Form): Promise<void> {
  const { ask } = form.options;
  const { values } = form.dialog;
  const [source, target] = [endAt(form, 'source'), endAt(form, 'target')];
  const [ofSource, ofTarget, joins] = await Promise.all([
    source ? columnsOfElement(ask, source) : [],
    target ? columnsOfElement(ask, target) : [],
    source && target ? ask('suggestJoins', { source: source.id, target: target.id }) : noJoins,
    loadCross(form),
  ]);
  // Another end may have been chosen meanwhile.
  const now = form.dialog.values;
  if (now.source !== values.source || now.target !== values.target) return;
  form.columns = { source: ofSource, target: ofTarget };
  form.suggestions = joins.ok ? joins.value : [];
  form.dialog.update();
}

const noJoins = { ok: true, value: [] } as const;

function endAt({ options, dialog }: Form, side: 'source' | 'target'): CardView | undefined {
  return endOf(options.cards(), dialog.values[side]);
}

async function loadCross(form: Form): Promise<void> {
  const { dialog, options } = form;
  const { dataObject, dataSource } = dialog.values.crossTable ?? {};
  const outcome =
    dataObject === undefined ? undefined : await options.ask('columns', { values: { dataObject, dataSource } });
  // Another data object may have been chosen meanwhile.
  if (dialog.values.crossTable?.dataObject !== dataObject || dialog.values.crossTable?.dataSource !== dataSource)
    return;
  form.crossColumns = outcome?.ok ? outcome.value : [];
  dialog.update();
}

function addMapping({ dialog, untouched }: Form, mapping: MappingValues): void {
  untouched.add(`mappings.${dialog.values.mappings.length}`);
  dialog.set({ mappings: [...dialog.values.mappings, mapping] });
}

function problemAt({ dialog, untouched }: Form, property: string) {
  const [, index] = property.split('.');
  const mapping = dialog.values.mappings[Number(index)];
  const isNew = untouched.has(property) && mapping !== undefined && isHalf(mapping);
  return dialog.preview.problemAt(property) ?? (isNew ? undefined : dialog.check.at(property));
}

function showField({ dialog }: Form, property: string, { quiet = false } = {}): void {
  const [, index = ''] = property.split('.');
  const row = dialog.modal.element.querySelector(`[data-mapping="${CSS.escape(index)}"]`);
  row?.scrollIntoView({ block: 'center' });
  if (!quiet) row?.querySelector<HTMLElement>('input, textarea')?.focus();
}

function pick(form: Form, side: 'source' | 'target', name: string): void {
  const { picked } = form;
  if (picked && picked.side !== side) {
    addMapping(form, side === 'target' ? { source: picked.name, target: name } : { source: name, target: picked.name });
    form.picked = undefined;
  } else form.picked = picked?.name === name ? undefined : { side, name };
  form.dialog.update();
}

function use(form: Form, { mappings, crossTable }: JoinSuggestion): void {
  const { dialog } = form;
  dialog.set({ mappings: crossTable ? dialog.values.mappings : mappings, ...(crossTable ? { crossTable } : {}) });
  void loadCross(form);
}

function queryOf(form: Form) {
  const { values } = form.dialog;
  if (draftReason(values) !== undefined) return undefined;
  const target = { kind: 'relationship', name: values.name ?? derivedName(values) } as const;
  return { target, draft: intentOf(form) };
}

function derivedName({ source, target }: RelationshipValues): string {
  return endsText(source, target);
}

function drawForm(form: Form): TemplateResult {
  const { options, dialog } = form;
  const { check, set } = dialog;
  const ends = { source: endAt(form, 'source'), target: endAt(form, 'target') };
  const { catalog } = options;
  return html`
    ${drawCatalogNotice(catalog)} ${conflictNotice(dialog.conflicting.length > 0)}
    <div class="columns">${drawEnd(form, 'source')} ${drawEnd(form, 'target')}</div>
    <p class="summary" role="status">${drawSummary(dialog)}</p>
    ${
      dialog.values.path
        ? html`<div class=${dialog.conflicting.includes('path') ? 'conflict' : ''}>
            ${pathSteps(dialog.values.path, check.at('path')?.message, (path) => set({ path }))}
          </div>`
        : drawJoins(form)
    }
    <div class="columns">
      ${textField(labelOf(relationshipFields.name), dialog.values.name ?? '', (name) => set({ name }), { placeholder: derivedName(dialog.values), id: 'relationship-name' })}
      ${correlationChoice(dialog.values.correlate ?? 'both', ends, (correlate) =>
        set({ correlate: correlate === 'both' && dialog.before.correlate === undefined ? undefined : correlate }),
      )}
      ${textFields(relationshipFields, { values: dialog.values, idPrefix: 'text', onChange: (field, text) => set({ [field]: text }) })}
    </div>
    ${drawOtherProblems(check.problems, ['source', 'target', 'mappings', 'path', ...(dialog.values.crossTable ? ['crossTable'] : [])])}
  `;
}

function drawJoins(form: Form): TemplateResult {
  const { dialog, columns, untouched } = form;
  const { mappings } = dialog.values;
  return html`
    ${drawSuggestions(form.suggestions, dialog.values, (suggestion) => use(form, suggestion))}
    <div class=${`join ${dialog.conflicting.includes('mappings') ? 'conflict' : ''}`}>
      ${drawSide(form, 'source')}
      <section class="mappings" aria-label=${t('Mappings')}>
        <h3>${t('Mappings')}</h3>
        <ul>
          ${mappings.map((mapping, index) =>
            mappingRow({
              index,
              mapping,
              source: columns.source,
              target: columns.target,
              problem: problemAt(form, `mappings.${index}`),
              onFocusOut: untouched.onFocusOut(`mappings.${index}`),
              onChange: (next) => dialog.set({ mappings: mappings.with(index, next) }),
              onRemove: () => dialog.set({ mappings: mappings.toSpliced(index, 1) }),
            }),
          )}
        </ul>
        <div class="row">
          ${button(html`${icon('add')} ${t('Mapping')}`, () => addMapping(form, { source: '', target: '' }), { label: t('Add Mapping'), id: 'add-mapping' })}
          ${button(html`${icon('add')} ${t('Expression')}`, () => addMapping(form, { expression: '' }), { label: t('Add Expression'), id: 'add-expression' })}
        </div>
      </section>
      ${drawSide(form, 'target')}
    </div>
    <div class=${dialog.conflicting.includes('crossTable') ? 'conflict' : ''}>${drawCrossTable(form)}</div>
  `;
}

function drawSummary({ check, values }: Form['dialog']) {
  if (check.summary !== undefined) return drawSentence(check.summary);
  // A complete join has no sentence before it was checked.
  return draftReason(values) === undefined ? nothing : html`<span class="muted">${t('Nothing joins them yet.')}</span>`;
}

function drawEnd(form: Form, side: 'source' | 'target'): TemplateResult {
  const { dialog, options } = form;
  return endField({
    side,
    name: dialog.values[side],
    cards: options.cards(),
    isConflicting: dialog.conflicting.includes(side),
    problem: dialog.check.at(side)?.message,
    onChange: (name) => setEnd(form, side, name),
  });
}

function setEnd(form: Form, side: 'source' | 'target', name: string): void {
  form.dialog.set({ [side]: name });
  form.added = { ...form.added, [side]: [] };
  form.picked = undefined;
  void load(form);
}

function drawSide(form: Form, side: 'source' | 'target'): TemplateResult {
  const { dialog, columns, added, picked } = form;
  const element = endAt(form, side);
  return propertyPanel({
    side,
    name: endNames(dialog.values)[side],
    dataObject: element?.dataObject ?? t('no data object'),
    columns: columns[side],
    shown: shownProperties(columns[side], side, dialog.values, added[side]),
    mapped: new Set(mappedNames(side, dialog.values)),
    picked: picked?.side === side ? picked.name : undefined,
    onAdd: (name) => {
      form.added = { ...added, [side]: [...added[side], name] };
      dialog.update();
    },
    onPick: (name) => pick(form, side, name),
    onDrop: (other, name) =>
      addMapping(form, side === 'target' ? { source: other, target: name } : { source: name, target: other }),
  });
}

function addCrossTable({ dialog, untouched }: Form): void {
  untouched.add('crossTable');
  dialog.set({ crossTable: noCrossTable });
  dialog.modal.element.querySelector<HTMLElement>('#cross-data-object input')?.focus();
}

function drawCrossTable(form: Form): TemplateResult {
  const { options, dialog, columns, crossColumns, untouched } = form;
  const { check, set } = dialog;
  const { crossTable } = dialog.values;
  if (!crossTable) {
    return html`<div class="row">
      ${button(html`${icon('add')} ${t('Cross Table')}`, () => addCrossTable(form), { label: t('Add Cross Table'), id: 'add-cross-table' })}
      <span class="muted">${t('A data object with the pairs of a many-to-many relationship.')}</span>
      ${
        dialog.values.mappings.length === 0
          ? html`${button(html`${icon('add')} ${t('Path')}`, () => set({ path: [{ relationship: '' }] }), { label: t('Add Path'), id: 'add-path' })}
              <span class="muted">${t('Other relationships, one after the other.')}</span>`
          : nothing
      }
    </div>`;
  }
  return crossTableFields({
    crossTable,
    columns,
    catalog: options.catalog,
    cross: crossColumns,
    // Missing fields of a new cross table are reported only after it has lost focus.
    problems: untouched.has('crossTable')
      ? []
      : check.problems.filter(({ property }) => isBelow(property, 'crossTable')),
    onFocusOut: untouched.onFocusOut('crossTable'),
    onChange: (next) => set({ crossTable: next }),
    onDataObject: (next) => {
      set({ crossTable: next });
      void loadCross(form);
    },
    onRemove: () => set({ crossTable: undefined }),
  });
}
