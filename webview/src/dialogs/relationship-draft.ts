import type {
  CrossMappingValues,
  CrossTableValues,
  MappingValues,
  RelationshipPatch,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import { t } from '../ui/translate.ts';

/** The changes; incomplete mappings count as they are. */
export function relationshipPatch(before: RelationshipValues, now: RelationshipValues): RelationshipPatch {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])] as (keyof RelationshipValues)[];
  const changed = keys.filter((key) => !same(before[key], now[key]));
  return Object.fromEntries(changed.map((key) => [key, now[key] ?? null]));
}

/** Why a relationship cannot be confirmed; undefined when it can. */
export function draftReason({ mappings, crossTable, path }: RelationshipValues): string | undefined {
  if (path) {
    const isNamed = path.length > 0 && path.every(({ relationship }) => relationship.trim() !== '');
    return isNamed ? undefined : t('Name the relationship of each step, or remove the path.');
  }
  if (mappings.some(isHalf)) return t('Complete each mapping, or remove it with the trash bin.');
  if (crossTable) {
    if (!crossTable.dataObject) return t('Choose the data object of the cross table.');
    if (crossTable.sourceMappings.length === 0 || crossTable.targetMappings.length === 0) {
      return t('The cross table needs at least one mapping on each side.');
    }
    if ([...crossTable.sourceMappings, ...crossTable.targetMappings].some(isHalfCross)) {
      return t('Complete each mapping of the cross table, or remove it with the trash bin.');
    }
  }
  return mappings.length === 0 && !crossTable ? t('Add a mapping, an expression or a cross table.') : undefined;
}

/** Whether a mapping lacks a column or its expression. */
export function isHalf(mapping: MappingValues): boolean {
  return 'expression' in mapping ? mapping.expression.trim() === '' : mapping.source === '' || mapping.target === '';
}

function isHalfCross({ column, cross }: CrossMappingValues): boolean {
  return column === '' || cross === '';
}

export const noCrossTable: CrossTableValues = { sourceMappings: [], targetMappings: [] };

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
