import { type TemplateResult, html, nothing } from 'lit';
import type {
  CanvasIntent,
  ColumnView,
  CrossMappingValues,
  CrossTableValues,
  DataObjectView,
  JoinSuggestion,
  MappingValues,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView, RelationshipView } from '../../../protocol/graph-view.ts';
import { endsText } from '../../../protocol/relationship-name.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { dropdown, textField } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { dialogKeys } from './dialog-keys.ts';
import { conflictNotice, dialogFooter, dialogHeader } from './dialog-header-footer.ts';
import { createDialogCheck, drawOtherProblems, drawSentence } from './dialog-problems.ts';
import type { DialogDraft, OpenDialog } from './element-dialog.ts';
import { isUsed, suggestionText } from './join-suggestion.ts';
import { crossRow, mappingRow } from './mapping-rows.ts';
import { pathSteps } from './path-steps.ts';
import { propertyPanel } from './property-panel.ts';
import { createQueryPreview } from './query-preview.ts';
import {
  noCrossTable,
  rebasedRelationship,
  relationshipConflicts,
  relationshipPatch,
  whyDraft,
} from './relationship-draft.ts';

export interface RelationshipDialogOptions {
  readonly relationship: RelationshipView;
  readonly source: CardView;
  readonly target: CardView;
  readonly objects: readonly DataObjectView[];
  readonly ask: Ask;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<RelationshipValues>;
  /** Called when the values change. */
  onDraft(draft: DialogDraft<RelationshipValues>): void;
  onConfirmed(select: string | undefined): void;
  onClosed(): void;
}

interface Sides<T> {
  readonly source: T;
  readonly target: T;
}

/** Edits a relationship: mappings, SQL conditions, a cross table. */
export function openRelationshipDialog(options: RelationshipDialogOptions): OpenDialog {
  const { ask, source, target, objects, onConfirmed, onClosed } = options;
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

  const modal = createModal({
    className: 'dialog relationship-dialog',
    labelledBy: 'relationship-dialog-title',
    draw,
    onCancel: close,
    onKey: dialogKeys({ confirm: () => void confirm(), testQuery: () => void testQuery() }),
  });
  const update = (): void => modal.update();
  const check = createDialogCheck(ask, () => intent(), update);
  const preview = createQueryPreview(ask, update);
  const intent = (): CanvasIntent => ({
    kind: 'configureRelationship',
    relationship: id,
    values: relationshipPatch(before, values),
  });

  async function load(): Promise<void> {
    const columnsOf = async ({ values: { dataObject, joins } }: CardView): Promise<readonly ColumnView[]> => {
      const wanted = { ...(dataObject === undefined ? {} : { dataObject }), ...(joins === undefined ? {} : { joins }) };
      const outcome = await ask('columns', { values: wanted });
      return outcome.ok ? outcome.value : [];
    };
    const [ofSource, ofTarget, joins] = await Promise.all([
      columnsOf(source),
      columnsOf(target),
      ask('suggestJoins', { source: source.id, target: target.id }),
      loadCross(),
    ]);
    columns = { source: ofSource, target: ofTarget };
    suggestions = joins.ok ? joins.value : [];
    update();
  }

  async function loadCross(): Promise<void> {
    const dataObject = values.crossTable?.dataObject;
    const outcome = dataObject === undefined ? undefined : await ask('columns', { values: { dataObject } });
    crossColumns = outcome?.ok ? outcome.value : [];
    update();
  }

  function set(change: Partial<{ [K in keyof RelationshipValues]: RelationshipValues[K] | undefined }>): void {
    const next: Record<string, unknown> = { ...values, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined || value === '') delete next[key];
    values = next as unknown as RelationshipValues;
    message = undefined;
    options.onDraft({ before, values });
    check.changed();
    update();
  }

  const setMapping = (index: number, mapping: MappingValues): void =>
    set({ mappings: values.mappings.with(index, mapping) });
  const addMapping = (mapping: MappingValues): void => set({ mappings: [...values.mappings, mapping] });

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
  const obstacle = (): string | undefined => missing() ?? check.blocking;
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
      <div class="body">
        ${conflictNotice(conflicting.length > 0)}
        <p class="summary" role="status">
          ${check.summary === undefined ? html`<span class="muted">${t('Nothing joins them yet.')}</span>` : drawSentence(check.summary)}
        </p>
        ${
          values.path
            ? html`<div class=${conflicting.includes('path') ? 'conflict' : ''}>
                ${pathSteps(values.path, check.at('path')?.message, (path) => set({ path }))}
              </div>`
            : drawJoins()
        }
        <div class="columns">
          ${textField(t('Name'), values.name ?? '', (name) => set({ name }), { placeholder: derivedName(), id: 'relationship-name' })}
          <div class="stacked">
            <span class="field-label">${t('Correlate events of')}</span>
            ${dropdown(
              t('Correlate events of'),
              values.correlate ?? 'both',
              ['both', 'source', 'target', 'none'],
              (correlate) =>
                set({ correlate: correlate === 'both' && before.correlate === undefined ? undefined : correlate }),
            )}
          </div>
        </div>
        ${drawOtherProblems(check.problems, ['mappings', 'path'])} ${preview.draw()}
      </div>
      <footer>
        ${button(t('Test Query'), () => void testQuery(), {
          disabled: half !== undefined,
          title: t('Run it and show the first rows (Ctrl+Enter)'),
          id: 'test-query',
        })}
        ${button(t('Show Query'), () => void preview.show(targetOf(), intent()), { disabled: half !== undefined })}
        ${dialogFooter({ message, why, cancel: close, confirm: () => void confirm() })}
      </footer>
    `;
  }

  function drawJoins(): TemplateResult {
    return html`
      ${drawSuggestions()}
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
                problem: check.at(`mappings.${index}`),
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

  function drawSuggestions(): TemplateResult | typeof nothing {
    const shown = suggestions.filter((suggestion) => !isUsed(suggestion, values));
    if (shown.length === 0) return nothing;
    return html`<div class="suggestions" role="group" aria-label=${t('Suggested joins')}>
      ${shown
        .slice(0, 4)
        .map((suggestion) =>
          button(
            html`${icon('lightbulb')} ${suggestionText(suggestion)} <span class="muted">${suggestion.reason}</span>`,
            () => use(suggestion),
            { appearance: 'chip', title: t('Use this join') },
          ),
        )}
    </div>`;
  }

  function drawSide(side: 'source' | 'target', element: CardView): TemplateResult {
    return propertyPanel({
      side,
      name: cardName(element) ?? t('Unnamed Element'),
      dataObject: element.dataObject ?? t('no data object'),
      columns: columns[side],
      shown: shownProperties(columns[side], side, values, added[side]),
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

  function drawCrossTable(): TemplateResult {
    const { crossTable } = values;
    if (!crossTable) {
      return html`<div class="row">
        ${button(html`${icon('add')} ${t('Cross Table')}`, () => set({ crossTable: noCrossTable }), { label: t('Add Cross Table'), id: 'add-cross-table' })}
        <span class="muted">${t('A bridge for many-to-many relationships.')}</span>
        ${
          values.mappings.length === 0
            ? html`${button(html`${icon('add')} ${t('Path')}`, () => set({ path: [{ relationship: '' }] }), { label: t('Add Path'), id: 'add-path' })}
                <span class="muted">${t('Other relationships, one after the other.')}</span>`
            : nothing
        }
      </div>`;
    }
    const change = (part: Partial<CrossTableValues>): void => set({ crossTable: { ...crossTable, ...part } });
    return html`<fieldset class="cross-table">
      <legend class="field-label">${t('Cross Table')}</legend>
      <div class="row">
        ${combobox(
          t('Data object of the cross table'),
          crossTable.dataObject ?? '',
          objects.map(({ name, kind }) => ({ value: name, detail: kind })),
          (dataObject) => {
            change({ dataObject });
            void loadCross();
          },
          { unseenLabel: true, placeholder: t('Data object'), problem: check.at('crossTable.dataObject')?.message },
        )}
        ${button(icon('trash'), () => set({ crossTable: undefined }), { appearance: 'icon', className: 'trash', title: t('Remove'), label: t('Remove cross table') })}
      </div>
      <div class="columns">
        ${drawCrossSide('source', crossTable.sourceMappings, (sourceMappings) => change({ sourceMappings }))}
        ${drawCrossSide('target', crossTable.targetMappings, (targetMappings) => change({ targetMappings }))}
      </div>
    </fieldset>`;
  }

  function drawCrossSide(
    side: 'source' | 'target',
    mappings: readonly CrossMappingValues[],
    onChange: (mappings: readonly CrossMappingValues[]) => void,
  ): TemplateResult {
    return html`<section
      aria-label=${side === 'source' ? t('Cross table, source side') : t('Cross table, target side')}
    >
      <ul>
        ${mappings.map((mapping, index) =>
          crossRow({
            side,
            index,
            mapping,
            own: columns[side],
            cross: crossColumns,
            onChange: (next) => onChange(mappings.with(index, next)),
            onRemove: () => onChange(mappings.toSpliced(index, 1)),
          }),
        )}
      </ul>
      ${button(
        html`${icon('add')} ${side === 'source' ? t('Source Mapping') : t('Target Mapping')}`,
        () => onChange([...mappings, { column: '', cross: '' }]),
        {
          label: side === 'source' ? t('Add source mapping') : t('Add target mapping'),
        },
      )}
    </section>`;
  }

  modal.open();
  void load();
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
  };
}

/** Keys and references, mapped and added columns. */
function shownProperties(
  columns: readonly ColumnView[],
  side: 'source' | 'target',
  { mappings, crossTable }: RelationshipValues,
  added: readonly string[],
): readonly string[] {
  const mapped = mappings.flatMap((mapping) => ('expression' in mapping ? [] : mapping[side]));
  const crossed = (crossTable?.[`${side}Mappings`] ?? []).map(({ column }) => column);
  const keys = columns.filter(({ key, references }) => key || references !== undefined).map(({ name }) => name);
  const first = keys.length > 0 ? keys.slice(0, 12) : columns.slice(0, 6).map(({ name }) => name);
  return [...new Set([...first, ...mapped, ...crossed, ...added])].filter((name) => name !== '');
}
