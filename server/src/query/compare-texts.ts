import type { Column } from '../catalog/catalog.ts';
import type { TimeColumn } from '../dialects/dialect.ts';
import type { MappingOperator } from '../model/entity-graph.ts';
import type { ComparedColumn, Comparison } from './query-tree.ts';
import type { SideColumn } from './relationship-side.ts';

/** Whether an operator compares texts, as keys do. */
export function isEquality(operator: MappingOperator): boolean {
  return operator === '=' || operator === '!=';
}

/**
 * How two columns are compared if one belongs to a file: by text, as keys are texts there. Undefined for a comparison
 * of values, and for unknown columns.
 */
export function comparedTexts(
  left: SideColumn,
  right: SideColumn,
): { readonly left: ComparedColumn; readonly right: ComparedColumn } | undefined {
  if (!left.entry?.isKeyedByText && !right.entry?.isKeyedByText) return undefined;
  const [leftText, rightText] = [textOf(left), textOf(right)];
  return leftText && rightText && { left: leftText, right: rightText };
}

/** The property of a comparison between two columns that are texts. */
export function textsBetween(left: SideColumn, right: SideColumn): Pick<Comparison, 'texts'> {
  if (left.entry?.sense !== 'text' || right.entry?.sense !== 'text') return {};
  return { texts: { left: left.entry, right: right.entry } };
}

/** The property of a comparison between two columns that are times. */
export function timesBetween(
  left: SideColumn,
  operator: MappingOperator,
  right: SideColumn,
  timeZone: string,
): Pick<Comparison, 'times'> {
  if (!left.entry || !right.entry || operator.endsWith('like')) return {};
  if (!isTime(left.entry) || !isTime(right.entry)) return {};
  return { times: { left: timeOf(left.entry, left), right: timeOf(right.entry, right), timeZone } };
}

/** The property of an equality of values that have no order: engines have equalities of their own for them, or none. */
export function canonicalBetween(
  left: SideColumn,
  operator: MappingOperator,
  right: SideColumn,
): Pick<Comparison, 'canonical'> {
  if (!left.entry || !right.entry || !isEquality(operator)) return {};
  return isStructured(left.entry) || isStructured(right.entry)
    ? { canonical: { left: left.entry, right: right.entry } }
    : {};
}

function isStructured({ sense }: Column): boolean {
  return sense === 'json' || sense === 'other';
}

/** The property of a comparison between two columns that are numbers. */
export function numbersBetween(
  left: SideColumn,
  operator: MappingOperator,
  right: SideColumn,
): Pick<Comparison, 'numbers'> {
  if (!left.entry || !right.entry || operator.endsWith('like')) return {};
  if (!isNumber(left.entry) || !isNumber(right.entry)) return {};
  return { numbers: { left: left.entry.type, right: right.entry.type } };
}

function isNumber({ sense }: Column): boolean {
  return sense === 'integer' || sense === 'number';
}

function timeOf(entry: Column, { timeZone }: SideColumn): TimeColumn {
  return timeZone === undefined ? entry : { ...entry, timeZone };
}

function isTime({ sense }: Column): boolean {
  return sense === 'date' || sense === 'timestamp';
}

function textOf({ column, entry, text }: SideColumn): ComparedColumn | undefined {
  if (text || !entry) return text;
  return entry.type === 'VARCHAR' ? column : { ...column, textOf: entry };
}
