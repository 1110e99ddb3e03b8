import { type TemplateResult, html } from 'lit';
import type {
  ColumnView,
  CrossMappingValues,
  CrossTableValues,
  DataObjectView,
  IntentProblem,
} from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawOtherProblems } from './dialog-problems.ts';
import { crossRow } from './mapping-rows.ts';

export interface CrossTableOptions {
  readonly crossTable: CrossTableValues;
  readonly objects: readonly DataObjectView[];
  readonly columns: { readonly source: readonly ColumnView[]; readonly target: readonly ColumnView[] };
  readonly cross: readonly ColumnView[];
  /** Problems of the cross table and its mappings. */
  readonly problems: readonly IntentProblem[];
  onFocusOut(event: FocusEvent): void;
  onChange(crossTable: CrossTableValues): void;
  onDataObject(crossTable: CrossTableValues): void;
  onRemove(): void;
}

const ofDataObject = 'crossTable.dataObject';

/** The bridge of a many-to-many relationship. */
export function crossTableFields(options: CrossTableOptions): TemplateResult {
  const { crossTable, objects, problems, onChange, onDataObject, onRemove, onFocusOut } = options;
  const problem = problems.find(({ property }) => property === ofDataObject)?.message;
  return html`<fieldset class="cross-table" @focusout=${onFocusOut}>
    <legend class="field-label">${t('Cross Table')}</legend>
    <div class="row">
      ${combobox(
        t('Data object of the cross table'),
        crossTable.dataObject ?? '',
        objects.map(({ name, kind }) => ({ value: name, detail: kind })),
        (dataObject) => onDataObject({ ...crossTable, dataObject }),
        { unseenLabel: true, placeholder: t('Data object'), problem, id: 'cross-data-object' },
      )}
      ${button(icon('trash'), onRemove, { appearance: 'icon', className: 'trash', title: t('Remove'), label: t('Remove cross table') })}
    </div>
    ${drawOtherProblems(problems, [ofDataObject])}
    <div class="columns">
      ${drawSide('source', crossTable.sourceMappings, options, (sourceMappings) => onChange({ ...crossTable, sourceMappings }))}
      ${drawSide('target', crossTable.targetMappings, options, (targetMappings) => onChange({ ...crossTable, targetMappings }))}
    </div>
  </fieldset>`;
}

function drawSide(
  side: 'source' | 'target',
  mappings: readonly CrossMappingValues[],
  { columns, cross }: CrossTableOptions,
  onChange: (mappings: readonly CrossMappingValues[]) => void,
): TemplateResult {
  return html`<section aria-label=${side === 'source' ? t('Cross table, source side') : t('Cross table, target side')}>
    <ul>
      ${mappings.map((mapping, index) =>
        crossRow({
          ...{ side, index, mapping, cross },
          own: columns[side],
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
