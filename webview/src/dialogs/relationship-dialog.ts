import { type TemplateResult, html, nothing } from 'lit';
import type {
  CanvasIntent,
  ColumnView,
  JoinSuggestion,
  MappingValues,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView, RelationshipView } from '../../../protocol/graph-view.ts';
import { endsText } from '../../../protocol/relationship-name.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { correlationChoice } from './correlation-choice.ts';
import { crossTableFields } from './cross-table-fields.ts';
import { type DialogCatalog, drawCatalogNotice } from './dialog-catalog.ts';
import { dialogKeys } from './dialog-keys.ts';
import { conflictNotice, dialogFooter, dialogHeader } from './dialog-header-footer.ts';
import { createDialogCheck, drawOtherProblems, drawSentence, isBelow } from './dialog-problems.ts';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import { dialogSplit } from './dialog-split.ts';
import type { DialogDraft, OpenDialog } from './element-dialog.ts';
import { drawSuggestions } from './join-suggestion.ts';
import { mappingRow } from './mapping-rows.ts';
import { pathSteps } from './path-steps.ts';
import { propertyPanel } from './property-panel.ts';
import { createQueryPreview } from './query-preview.ts';
import {
  isHalf,
  noCrossTable,
  rebasedRelationship,
  relationshipConflicts,
  relationshipPatch,
  whyDraft,
} from './relationship-draft.ts';
import { type Sides, columnsOfElement, fieldName, mappedNames, shownProperties } from './relationship-columns.ts';
import { createUntouched } from './untouched.ts';

export interface RelationshipDialogOptions {
  readonly relationship: RelationshipView;
  readonly source: CardView;
  readonly target: CardView;
  readonly catalog: DialogCatalog;
  readonly ask: Ask;
  /** The kept size of the preview. */
  readonly share: () => PreviewShare;
  onShare(share: PreviewShare): void;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<RelationshipValues>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<RelationshipValues>): void;
  onConfirmed(select: string | undefined): void;
  onClosed(): void;
}

/** Edits a relationship: mappings, SQL conditions, a cross table. */
export function openRelationshipDialog(options: RelationshipDialogOptions): OpenDialog {
  const { ask, source, target, catalog, onConfirmed, onClosed } = options;
  const id = options.relationship.id;
  let file: RelationshipValues | undefined = options.relationship.values;
  let before: RelationshipValues = options.draft?.before ?? file;
  let values: RelationshipValues = options.draft?.values ?? before;
  let columns: Sides<readonly ColumnView[]> = { source: [], target: [] };
  let crossColumns: readonly ColumnView[] = [];
  let suggestions: readonly JoinSuggestion[] = [];
  let added: Sides<readonly string[]> = { source: [], target: [] };
  let picked: { readonly side: 'source' | 'target'; readonly name: string } | undefined;
  let conflicting: readonly (keyof RelationshipValues)[] = relationshipConflicts(before, values, file);
  let message: string | undefined;
  let confirming = false;
  let scrollTop = options.draft?.scrollTop ?? 0;

  const modal = createModal({
    className: 'dialog relationship-dialog',
    labelledBy: 'relationship-dialog-title',
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
  const untouched = createUntouched(update);
  const ends = {
    source: cardName(source) ?? t('Unnamed Element'),
    target: cardName(target) ?? t('Unnamed Element'),
  };
  const check = createDialogCheck(ask, () => intent(), update);
  const preview = createQueryPreview(
    ask,
    update,
    { ends, nameOf: fieldName, goToField: showField },
    ({ property }) => property !== undefined && showField(property, { quiet: true }),
  );
  const intent = (): CanvasIntent => ({
    kind: 'configureRelationship',
    relationship: id,
    values: relationshipPatch(before, values),
  });

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
    const { dataObject, dataSource } = values.crossTable ?? {};
    const scope = {
      ...(dataObject === undefined ? {} : { dataObject }),
      ...(dataSource === undefined ? {} : { dataSource }),
    };
    const outcome = dataObject === undefined ? undefined : await ask('columns', { values: scope });
    // Another data object may have been chosen meanwhile.
    if (values.crossTable?.dataObject !== dataObject || values.crossTable?.dataSource !== dataSource) return;
    crossColumns = outcome?.ok ? outcome.value : [];
    update();
  }

  function set(change: Partial<{ [K in keyof RelationshipValues]: RelationshipValues[K] | undefined }>): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as unknown as RelationshipValues;
    message = undefined;
    keepDraft();
    preview.edited();
    check.changed();
    update();
  }

  const keepDraft = (): void => options.onDraft({ before, values, scrollTop });
  const setMapping = (index: number, mapping: MappingValues): void =>
    set({ mappings: values.mappings.with(index, mapping) });
  const addMapping = (mapping: MappingValues): void => {
    untouched.add(`mappings.${values.mappings.length}`);
    set({ mappings: [...values.mappings, mapping] });
  };

  function problemAt(property: string) {
    const [, index] = property.split('.');
    const mapping = values.mappings[Number(index)];
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
    set({ mappings: crossTable ? values.mappings : mappings, ...(crossTable ? { crossTable } : {}) });
    void loadCross();
  }

  const missing = (): string | undefined => (file ? whyDraft(values) : t('The relationship is no longer in the file.'));
  const obstacle = (): string | undefined => missing() ?? check.blocking ?? preview.blocking;
  const targetOf = () => ({ kind: 'relationship', name: values.name ?? derivedName() }) as const;
  const derivedName = (): string => endsText(cardName(source), cardName(target));

  async function testQuery(): Promise<void> {
    if (whyDraft(values) === undefined) await preview.test(targetOf(), intent());
  }

  async function confirm(): Promise<void> {
    // The problems may be fixed since.
    if (confirming || missing() !== undefined) return update();
    if (conflicting.length > 0 && file) {
      values = rebasedRelationship(before, values, file);
      before = file;
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
    const half = whyDraft(values);
    return html`
      ${dialogHeader('relationship-dialog-title', t('Configure Relationship'), close)}
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
          disabled: half !== undefined,
          title: t('Run it and show the first rows (Ctrl+Enter)'),
          id: 'test-query',
        })}
        ${button(t('Show Query'), () => void preview.show(targetOf(), intent()), {
          disabled: half !== undefined,
          title: t('Open the exact query beside'),
        })}
        ${dialogFooter({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  function drawForm(): TemplateResult {
    return html`
      ${drawCatalogNotice(catalog)} ${conflictNotice(conflicting.length > 0)}
      <p class="summary" role="status">${drawSummary()}</p>
      ${
        values.path
          ? html`<div class=${conflicting.includes('path') ? 'conflict' : ''}>
              ${pathSteps(values.path, check.at('path')?.message, (path) => set({ path }))}
            </div>`
          : drawJoins()
      }
      <div class="columns">
        ${textField(t('Name'), values.name ?? '', (name) => set({ name }), { placeholder: derivedName(), id: 'relationship-name' })}
        ${correlationChoice(values.correlate ?? 'both', { source, target }, (correlate) =>
          set({ correlate: correlate === 'both' && before.correlate === undefined ? undefined : correlate }),
        )}
      </div>
      ${drawOtherProblems(check.problems, ['mappings', 'path', ...(values.crossTable ? ['crossTable'] : [])])}
    `;
  }

  function drawJoins(): TemplateResult {
    return html`
      ${drawSuggestions(suggestions, values, use)}
      <div class=${`join ${conflicting.includes('mappings') ? 'conflict' : ''}`}>
        ${drawSide('source', source)}
        <section class="mappings" aria-label=${t('Mappings')}>
          <h3>${t('Mappings')}</h3>
          <ul>
            ${values.mappings.map((mapping, index) =>
              mappingRow({
                index,
                mapping,
                source: columns.source,
                target: columns.target,
                problem: problemAt(`mappings.${index}`),
                onFocusOut: untouched.onFocusOut(`mappings.${index}`),
                onChange: (next) => setMapping(index, next),
                onRemove: () => set({ mappings: values.mappings.toSpliced(index, 1) }),
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
      <div class=${conflicting.includes('crossTable') ? 'conflict' : ''}>${drawCrossTable()}</div>
    `;
  }

  function drawSummary() {
    if (check.summary !== undefined) return drawSentence(check.summary);
    // A complete join has no sentence before it was checked.
    return whyDraft(values) === undefined ? nothing : html`<span class="muted">${t('Nothing joins them yet.')}</span>`;
  }

  function drawSide(side: 'source' | 'target', element: CardView): TemplateResult {
    return propertyPanel({
      side,
      name: cardName(element) ?? t('Unnamed Element'),
      dataObject: element.dataObject ?? t('no data object'),
      columns: columns[side],
      shown: shownProperties(columns[side], side, values, added[side]),
      mapped: new Set(mappedNames(side, values)),
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
    const { crossTable } = values;
    if (!crossTable) {
      return html`<div class="row">
        ${button(html`${icon('add')} ${t('Cross Table')}`, addCrossTable, { label: t('Add Cross Table'), id: 'add-cross-table' })}
        <span class="muted">${t('A bridge for many-to-many relationships.')}</span>
        ${
          values.mappings.length === 0
            ? html`${button(html`${icon('add')} ${t('Path')}`, () => set({ path: [{ relationship: '' }] }), { label: t('Add Path'), id: 'add-path' })}
                <span class="muted">${t('Other relationships, one after the other.')}</span>`
            : nothing
        }
      </div>`;
    }
    return crossTableFields({
      ...{ crossTable, columns, catalog },
      cross: crossColumns,
      // What a new cross table lacks is no mistake before it was left.
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

  modal.open();
  keepDraft();
  void load().then(() => modal.scrollTo(scrollTop));
  check.changed();
  return {
    follow(view) {
      file = (view as RelationshipView | undefined)?.values;
      if (file) {
        conflicting = relationshipConflicts(before, values, file);
        if (conflicting.length === 0) {
          values = rebasedRelationship(before, values, file);
          before = file;
        }
      }
      check.changed();
      update();
    },
    catalogChanged() {
      update();
      if (catalog.state().kind === 'known') void load();
      // The data source of the cross table may be known now, although that of the graph is not.
      else void loadCross();
      check.changed();
    },
  };
}
