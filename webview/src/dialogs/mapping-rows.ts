import { type TemplateResult, html } from 'lit';
import type { ColumnView, CrossMappingValues, MappingValues } from '../../../protocol/canvas-intents.ts';
import { combobox } from '../ui/combobox.ts';
import { dropdown } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';
import { sqlField } from '../ui/sql-field.ts';
import { columnChoices } from './column-choices.ts';

const operators = ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like'];

/** Operators that make sense for a column: only texts are like something. */
function operatorsFor(columns: readonly ColumnView[], name: string, now: string): readonly string[] {
  const sense = columns.find((column) => column.name === name)?.sense;
  const fitting =
    sense === undefined || sense === 'text' ? operators : operators.filter((each) => !each.includes('like'));
  return fitting.includes(now) ? fitting : [...fitting, now];
}

export interface MappingRow {
  readonly index: number;
  readonly mapping: MappingValues;
  readonly source: readonly ColumnView[];
  readonly target: readonly ColumnView[];
  readonly problem: { readonly message: string; readonly excerpt: string } | undefined;
  onChange(mapping: MappingValues): void;
  onRemove(): void;
}

/** Two columns and how they are compared, or a condition in SQL; a trash bin at the end. */
export function mappingRow({
  index,
  mapping,
  source,
  target,
  problem,
  onChange,
  onRemove,
}: MappingRow): TemplateResult {
  const label = `mapping ${index + 1}`;
  if ('expression' in mapping) {
    return html`<li class="mapping expression" data-mapping=${index}>
      ${sqlField(`Expression of ${label}`, mapping.expression, (expression) => onChange({ expression }), {
        id: `expression-${index}`,
        placeholder: 'lower(source.category) = lower(target.category)',
        rows: 1,
        problem,
        unseenLabel: true,
      })}
      ${trashBin(label, onRemove)}
    </li>`;
  }
  const operator = mapping.operator ?? '=';
  return html`<li class="mapping" data-mapping=${index}>
    ${combobox(
      `Source column of ${label}`,
      mapping.source,
      columnChoices(source),
      (value) => onChange({ ...mapping, source: value }),
      {
        unseenLabel: true,
        placeholder: 'Source column',
      },
    )}
    ${dropdown(`Operator of ${label}`, operator, operatorsFor(source, mapping.source, operator), (value) =>
      onChange({ source: mapping.source, ...(value === '=' ? {} : { operator: value }), target: mapping.target }),
    )}
    ${combobox(
      `Target column of ${label}`,
      mapping.target,
      columnChoices(target),
      (value) => onChange({ ...mapping, target: value }),
      {
        unseenLabel: true,
        placeholder: 'Target column',
      },
    )}
    ${trashBin(label, onRemove)} ${problem ? html`<p class="field-problem">${problem.message}</p>` : ''}
  </li>`;
}

export interface CrossRow {
  readonly side: 'source' | 'target';
  readonly index: number;
  readonly mapping: CrossMappingValues;
  readonly own: readonly ColumnView[];
  readonly cross: readonly ColumnView[];
  onChange(mapping: CrossMappingValues): void;
  onRemove(): void;
}

/** A column of one side and a column of the cross table. */
export function crossRow({ side, index, mapping, own, cross, onChange, onRemove }: CrossRow): TemplateResult {
  const label = `${side} mapping ${index + 1}`;
  const operator = mapping.operator ?? '=';
  const { column, cross: crossColumn } = mapping;
  return html`<li class="mapping">
    ${combobox(`Column of ${label}`, column, columnChoices(own), (value) => onChange({ ...mapping, column: value }), {
      unseenLabel: true,
      placeholder: side === 'source' ? 'Source column' : 'Target column',
    })}
    ${dropdown(`Operator of ${label}`, operator, operators, (value) =>
      onChange({ column, ...(value === '=' ? {} : { operator: value }), cross: crossColumn }),
    )}
    ${combobox(
      `Cross column of ${label}`,
      crossColumn,
      columnChoices(cross),
      (value) => onChange({ ...mapping, cross: value }),
      {
        unseenLabel: true,
        placeholder: 'Cross table column',
      },
    )}
    ${trashBin(label, onRemove)}
  </li>`;
}

function trashBin(label: string, onRemove: () => void): TemplateResult {
  return html`<button class="action trash" title="Remove" aria-label=${`Remove ${label}`} @click=${onRemove}>
    ${icon('trash')}
  </button>`;
}
