import { type TemplateResult, html } from 'lit';
import type { ColumnView, CrossMappingValues, MappingValues } from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { combobox } from '../ui/combobox.ts';
import { dropdown } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { sqlField } from '../ui/sql-field.ts';
import { t } from '../ui/translate.ts';
import { columnChoices } from './column-choices.ts';

const operators = ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like'];

/** Operators valid for a column: LIKE needs texts. */
function operatorsFor(columns: readonly ColumnView[], name: string, now: string): readonly string[] {
  const sense = columns.find((column) => column.name === name)?.sense;
  const fitting =
    sense === undefined || sense === 'text' ? operators : operators.filter((each) => !each.includes('like'));
  return fitting.includes(now) ? fitting : [...fitting, now];
}

interface MappingRow {
  readonly index: number;
  readonly mapping: MappingValues;
  readonly source: readonly ColumnView[];
  readonly target: readonly ColumnView[];
  readonly problem: { readonly message: string; readonly excerpt: string } | undefined;
  onFocusOut(event: FocusEvent): void;
  onChange(mapping: MappingValues): void;
  onRemove(): void;
}

/** A mapping row: two columns and an operator, or an SQL condition; a delete button at the end. */
export function mappingRow({
  index,
  mapping,
  source,
  target,
  problem,
  onFocusOut,
  onChange,
  onRemove,
}: MappingRow): TemplateResult {
  const number = index + 1;
  const bin = trashBin(t('Remove mapping {0}', number), onRemove);
  if ('expression' in mapping) {
    return html`<li class="mapping expression" data-mapping=${index} @focusout=${onFocusOut}>
      ${sqlField(t('Expression of mapping {0}', number), mapping.expression, (expression) => onChange({ expression }), {
        id: `expression-${index}`,
        placeholder: 'lower(source.category) = lower(target.category)',
        rows: 1,
        problem,
        unseenLabel: true,
      })}
      ${bin}
    </li>`;
  }
  const operator = mapping.operator ?? '=';
  return html`<li class="mapping" data-mapping=${index} @focusout=${onFocusOut}>
    ${combobox(
      t('Source column of mapping {0}', number),
      mapping.source,
      columnChoices(source),
      (value) => onChange({ ...mapping, source: value }),
      {
        unseenLabel: true,
        placeholder: t('Source column'),
      },
    )}
    ${dropdown(
      t('Operator of mapping {0}', number),
      operator,
      operatorsFor(source, mapping.source, operator),
      (value) =>
        onChange({ source: mapping.source, ...(value === '=' ? {} : { operator: value }), target: mapping.target }),
    )}
    ${combobox(
      t('Target column of mapping {0}', number),
      mapping.target,
      columnChoices(target),
      (value) => onChange({ ...mapping, target: value }),
      {
        unseenLabel: true,
        placeholder: t('Target column'),
      },
    )}
    ${bin} ${problem ? html`<p class="field-problem">${problem.message}</p>` : ''}
  </li>`;
}

interface CrossRow {
  readonly side: 'source' | 'target';
  readonly index: number;
  readonly mapping: CrossMappingValues;
  readonly own: readonly ColumnView[];
  readonly cross: readonly ColumnView[];
  onChange(mapping: CrossMappingValues): void;
  onRemove(): void;
}

/** A mapping of a column of one side to a column of the cross table. */
export function crossRow({ side, index, mapping, own, cross, onChange, onRemove }: CrossRow): TemplateResult {
  const words = crossWords(side, index + 1);
  const operator = mapping.operator ?? '=';
  const { column, cross: crossColumn } = mapping;
  return html`<li class="mapping">
    ${combobox(words.column, column, columnChoices(own), (value) => onChange({ ...mapping, column: value }), {
      unseenLabel: true,
      placeholder: words.placeholder,
    })}
    ${dropdown(words.operator, operator, operators, (value) =>
      onChange({ column, ...(value === '=' ? {} : { operator: value }), cross: crossColumn }),
    )}
    ${combobox(words.cross, crossColumn, columnChoices(cross), (value) => onChange({ ...mapping, cross: value }), {
      unseenLabel: true,
      placeholder: t('Cross table column'),
    })}
    ${trashBin(words.remove, onRemove)}
  </li>`;
}

/** Separate sentences per side, for translation. */
function crossWords(side: 'source' | 'target', number: number) {
  return side === 'source'
    ? {
        placeholder: t('Source column'),
        column: t('Column of source mapping {0}', number),
        operator: t('Operator of source mapping {0}', number),
        cross: t('Cross column of source mapping {0}', number),
        remove: t('Remove source mapping {0}', number),
      }
    : {
        placeholder: t('Target column'),
        column: t('Column of target mapping {0}', number),
        operator: t('Operator of target mapping {0}', number),
        cross: t('Cross column of target mapping {0}', number),
        remove: t('Remove target mapping {0}', number),
      };
}

function trashBin(label: string, onRemove: () => void): TemplateResult {
  return button(icon('trash'), onRemove, { appearance: 'icon', className: 'trash', title: t('Remove'), label });
}
