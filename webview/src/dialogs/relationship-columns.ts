import type { ColumnView, RelationshipValues } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import type { Ask } from '../request-channel.ts';
import { t } from '../ui/translate.ts';

/** A value for each end of a relationship. */
export interface Sides<T> {
  readonly source: T;
  readonly target: T;
}

/** Keys and references, mapped and added columns. */
export function shownProperties(
  columns: readonly ColumnView[],
  side: 'source' | 'target',
  values: RelationshipValues,
  added: readonly string[],
): readonly string[] {
  const keys = columns.filter(({ key, references }) => key || references !== undefined).map(({ name }) => name);
  const first = keys.length > 0 ? keys.slice(0, 12) : columns.slice(0, 6).map(({ name }) => name);
  return [...new Set([...first, ...mappedNames(side, values), ...added])].filter((name) => name !== '');
}

/** The columns of one end that mappings use, those of a cross table among them. */
export function mappedNames(
  side: 'source' | 'target',
  { mappings, crossTable }: RelationshipValues,
): readonly string[] {
  const mapped = mappings.flatMap((mapping) => ('expression' in mapping ? [] : mapping[side]));
  return [...mapped, ...(crossTable?.[`${side}Mappings`] ?? []).map(({ column }) => column)];
}

/** The name of the field of a property, for errors of the query. */
export function fieldName(property: string): string | undefined {
  const [list, index] = property.split('.');
  return list === 'mappings' && index !== undefined ? t('mapping {0}', Number(index) + 1) : undefined;
}

/** The columns that an end may use; none while the catalog is not known. */
export async function columnsOfElement(
  ask: Ask,
  { values: { dataObject, joins }, dataSource }: CardView,
): Promise<readonly ColumnView[]> {
  const outcome = await ask('columns', { values: { dataObject, joins, dataSource } });
  return outcome.ok ? outcome.value : [];
}
