import type { MappingOperator } from '../model/entity-graph.ts';
import type { ComparedColumn } from './query-tree.ts';
import type { SideColumn } from './relationship-side.ts';

/** Whether an operator compares as keys are compared. */
export function isEquality(operator: MappingOperator): boolean {
  return operator === '=' || operator === '!=';
}

/**
 * What is compared of two columns of which one is of a file: texts, as keys are texts there. Undefined where both are compared by their values,
 * also where nothing is known of one of them.
 */
export function comparedTexts(
  left: SideColumn,
  right: SideColumn,
): { readonly left: ComparedColumn; readonly right: ComparedColumn } | undefined {
  if (!left.entry?.isKeyedByText && !right.entry?.isKeyedByText) return undefined;
  const [leftText, rightText] = [textOf(left), textOf(right)];
  return leftText && rightText && { left: leftText, right: rightText };
}

function textOf({ column, entry, text }: SideColumn): ComparedColumn | undefined {
  if (text || !entry) return text;
  return entry.type === 'VARCHAR' ? column : { ...column, textOf: entry };
}
