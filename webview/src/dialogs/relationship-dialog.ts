import { type TemplateResult, html, nothing } from 'lit';
import type {
  ColumnView,
  JoinSuggestion,
  MappingValues,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView, RelationshipView } from '../../../protocol/graph-view.ts';
import { endsText } from '../../../protocol/relationship-name.ts';
import { button } from '../ui/button.ts';
import { textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { correlationChoice } from './correlation-choice.ts';
import { crossTableFields } from './cross-table-fields.ts';
import { type DialogCatalog, drawCatalogNotice } from './dialog-catalog.ts';
import { conflictNotice } from './dialog-header-footer.ts';
import { drawOtherProblems, drawSentence, isBelow } from './dialog-problems.ts';
import { type EditDialog, type EditDialogHost, type OpenDialog, createEditDialog } from './edit-dialog.ts';
import { drawSuggestions } from './join-suggestion.ts';
import { mappingRow } from './mapping-rows.ts';
import { pathSteps } from './path-steps.ts';
import { propertyPanel } from './property-panel.ts';
import { isHalf, noCrossTable, relationshipPatch, draftReason } from './relationship-draft.ts';
import { type Sides, columnsOfElement, fieldName, mappedNames, shownProperties } from './relationship-columns.ts';
import { createNewEntries } from './new-entries.ts';

export interface RelationshipDialogOptions extends EditDialogHost<RelationshipValues> {
  readonly relationship: RelationshipView;
  readonly source: CardView;
  readonly target: CardView;
  readonly catalog: DialogCatalog;
}

/** Edits a relationship: mappings, SQL conditions, a cross table. */
export function openRelationshipDialog(options: RelationshipDialogOptions): OpenDialog {
  const { ask, source, target, catalog, relationship } = options;
  let columns: Sides<readonly ColumnView[]> = { source: [], target: [] };
  let crossColumns: readonly ColumnView[] = [];
  let suggestions: readonly JoinSuggestion[] = [];
  let added: Sides<readonly string[]> = { source: [], target: [] };
  let picked: { readonly side: 'source' | 'target'; readonly name: string } | undefined;

  const ends = {
    source: cardName(source) ?? t('Unnamed Element'),
    target: cardName(target) ?? t('Unnamed Element'),
  };
  const dialog: EditDialog<RelationshipValues> = createEditDialog(options, {
    name: 'relationship',
    title: t('Configure Relationship'),
    file: relationship.values,
    patchOf: relationshipPatch,
    intent,
    missing: () => draftReason(dialog.values),
    gone: t('The relationship is no longer in the file.'),
    fields: { ends, nameOf: fieldName },
    showField,
    testQuery,
    drawForm,
    drawActions,
  });
  const { modal, check, preview, set, update } = dialog;
  const untouched = createNewEntries(update);

  function intent(): CanvasIntent {
    const { before, values } = dialog;
    return {
      kind: 'configureRelationship',
      relationship: relationship.id,
      values: relationshipPatch(before, values),
    };
  }

  async function load(): Promise<void> {
    const [ofSource, ofTarget, joins] = await Promise.all([
      columnsOfElement(ask, source),
      columnsOfElement(ask, target),
      ask('suggestJoins', { source: source.id, target: target.id }),
      loadCross(),
    ]);
    columns = { source: ofSource, target: ofTarget };
    suggestions = joins.ok ? joins.value : [];
    update();
  }

  async function loadCross(): Promise<void> {
    const { dataObject, dataSource } = dialog.values.crossTable ?? {};
    const outcome = dataObject === undefined ? undefined : await ask('columns', { values: { dataObject, dataSource } });
    // Another data object may have been chosen meanwhile.
    if (dialog.values.crossTable?.dataObject !== dataObject || dialog.values.crossTable?.dataSource !== dataSource)
      return;
    crossColumns = outcome?.ok ? outcome.value : [];
    update();
  }

  const setMapping = (index: number, mapping: MappingValues): void =>
    set({ mappings: dialog.values.mappings.with(index, mapping) });
  const addMapping = (mapping: MappingValues): void => {
    untouched.add(`mappings.${dialog.values.mappings.length}`);
    set({ mappings: [...dialog.values.mappings, mapping] });
  };

  function problemAt(property: string) {
    const [, index] = property.split('.');
    const mapping = dialog.values.mappings[Number(index)];
    const isNew = untouched.has(property) && mapping !== undefined && isHalf(mapping);
    return preview.problemAt(property) ?? (isNew ? undefined : check.at(property));
  }

  function showField(property: string, { quiet = false } = {}): void {
    const [, index = ''] = property.split('.');
    const row = modal.element.querySelector(`[data-mapping="${CSS.escape(index)}"]`);
    row?.scrollIntoView({ block: 'center' });
    if (!quiet) row?.querySelector<HTMLElement>('input, textarea')?.focus();
  }

  function pick(side: 'source' | 'target', name: string): void {
    if (picked && picked.side !== side) {
      addMapping(side === 'target' ? { source: picked.name, target: name } : { source: name, target: picked.name });
      picked = undefined;
    } else picked = picked?.name === name ? undefined : { side, name };
    update();
  }

  function use({ mappings, crossTable }: JoinSuggestion): void {
    set({ mappings: crossTable ? dialog.values.mappings : mappings, ...(crossTable ? { crossTable } : {}) });
    void loadCross();
  }

  const targetOf = () => ({ kind: 'relationship', name: dialog.values.name ?? derivedName() }) as const;
  const derivedName = (): string => endsText(cardName(source), cardName(target));

  async function testQuery(): Promise<void> {
    if (draftReason(dialog.values) === undefined) await preview.test(targetOf(), intent());
  }

  function drawActions(): TemplateResult {
    const disabled = draftReason(dialog.values) !== undefined;
    return html`
      ${button(t('Test Query'), () => void testQuery(), {
        disabled,
        title: t('Run it and show the first rows (Ctrl+Enter)'),
        id: 'test-query',
      })}
      ${button(t('Show Query'), () => void preview.show(targetOf(), intent()), {
        disabled,
        title: t('Open the exact query beside'),
      })}
    `;
  }

  function drawForm(): TemplateResult {
    return html`
      ${drawCatalogNotice(catalog)} ${conflictNotice(dialog.conflicting.length > 0)}
      <p class="summary" role="status">${drawSummary()}</p>
      ${
        dialog.values.path
          ? html`<div class=${dialog.conflicting.includes('path') ? 'conflict' : ''}>
              ${pathSteps(dialog.values.path, check.at('path')?.message, (path) => set({ path }))}
            </div>`
          : drawJoins()
      }
      <div class="columns">
        ${textField(t('Name'), dialog.values.name ?? '', (name) => set({ name }), { placeholder: derivedName(), id: 'relationship-name' })}
        ${correlationChoice(dialog.values.correlate ?? 'both', { source, target }, (correlate) =>
          set({ correlate: correlate === 'both' && dialog.before.correlate === undefined ? undefined : correlate }),
        )}
      </div>
      ${drawOtherProblems(check.problems, ['mappings', 'path', ...(dialog.values.crossTable ? ['crossTable'] : [])])}
    `;
  }

  function drawJoins(): TemplateResult {
    return html`
      ${drawSuggestions(suggestions, dialog.values, use)}
      <div class=${`join ${dialog.conflicting.includes('mappings') ? 'conflict' : ''}`}>
        ${drawSide('source', source)}
        <section class="mappings" aria-label=${t('Mappings')}>
          <h3>${t('Mappings')}</h3>
          <ul>
            ${dialog.values.mappings.map((mapping, index) =>
              mappingRow({
                index,
                mapping,
                source: columns.source,
                target: columns.target,
                problem: problemAt(`mappings.${index}`),
                onFocusOut: untouched.onFocusOut(`mappings.${index}`),
                onChange: (next) => setMapping(index, next),
                onRemove: () => set({ mappings: dialog.values.mappings.toSpliced(index, 1) }),
              }),
            )}
          </ul>
          <div class="row">
            ${button(html`${icon('add')} ${t('Mapping')}`, () => addMapping({ source: '', target: '' }), { label: t('Add Mapping'), id: 'add-mapping' })}
            ${button(html`${icon('add')} ${t('Expression')}`, () => addMapping({ expression: '' }), { label: t('Add Expression'), id: 'add-expression' })}
          </div>
        </section>
        ${drawSide('target', target)}
      </div>
      <div class=${dialog.conflicting.includes('crossTable') ? 'conflict' : ''}>${drawCrossTable()}</div>
    `;
  }

  function drawSummary() {
    if (check.summary !== undefined) return drawSentence(check.summary);
    // A complete join has no sentence before it was checked.
    return draftReason(dialog.values) === undefined
      ? nothing
      : html`<span class="muted">${t('Nothing joins them yet.')}</span>`;
  }

  function drawSide(side: 'source' | 'target', element: CardView): TemplateResult {
    return propertyPanel({
      side,
      name: cardName(element) ?? t('Unnamed Element'),
      dataObject: element.dataObject ?? t('no data object'),
      columns: columns[side],
      shown: shownProperties(columns[side], side, dialog.values, added[side]),
      mapped: new Set(mappedNames(side, dialog.values)),
      picked: picked?.side === side ? picked.name : undefined,
      onAdd: (name) => {
        added = { ...added, [side]: [...added[side], name] };
        update();
      },
      onPick: (name) => pick(side, name),
      onDrop: (other, name) =>
        addMapping(side === 'target' ? { source: other, target: name } : { source: name, target: other }),
    });
  }

  function addCrossTable(): void {
    untouched.add('crossTable');
    set({ crossTable: noCrossTable });
    modal.element.querySelector<HTMLElement>('#cross-data-object input')?.focus();
  }

  function drawCrossTable(): TemplateResult {
    const { crossTable } = dialog.values;
    if (!crossTable) {
      return html`<div class="row">
        ${button(html`${icon('add')} ${t('Cross Table')}`, addCrossTable, { label: t('Add Cross Table'), id: 'add-cross-table' })}
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
      catalog,
      cross: crossColumns,
      // Missing fields of a new cross table are reported only after it has lost focus.
      problems: untouched.has('crossTable')
        ? []
        : check.problems.filter(({ property }) => isBelow(property, 'crossTable')),
      onFocusOut: untouched.onFocusOut('crossTable'),
      onChange: (next) => set({ crossTable: next }),
      onDataObject: (next) => {
        set({ crossTable: next });
        void loadCross();
      },
      onRemove: () => set({ crossTable: undefined }),
    });
  }

  dialog.open(load);
  return {
    follow: (now) => dialog.follow((now as RelationshipView | undefined)?.values),
    catalogChanged() {
      update();
      if (catalog.state().kind === 'known') void load();
      // The data source of the cross table may be known now, although that of the graph is not.
      else void loadCross();
      check.changed();
    },
  };
}
