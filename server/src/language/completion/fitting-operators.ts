import type { Catalog, Column, ColumnSense } from '../../catalog/catalog.ts';
import { type EntityGraph, type MappingOperator, mappingOperators } from '../../model/entity-graph.ts';
import { columnScope, findInScope } from '../column-scope.ts';
import type { KnownPlace } from './completion-proposal.ts';

/** Types without a useful order. */
const unordered: ReadonlySet<ColumnSense> = new Set(['boolean', 'json', 'binary']);

/** The operators valid for both columns of a mapping; all of them while a type is unknown. */
export function fittingOperators(graph: EntityGraph, place: KnownPlace, catalog: Catalog): readonly MappingOperator[] {
  const mapping = mappingAt(place);
  const list = place.path.slice(0, -1);
  const columns = ['source', 'target', 'cross'].flatMap((side): Column[] => {
    const name = mapping?.[side];
    const scope = columnScope(graph, { path: [...list, side], indexes: place.indexes }, catalog);
    const column = scope && typeof name === 'string' ? findInScope(scope, name) : undefined;
    return column ? [column] : [];
  });
  if (columns.length < 2) return mappingOperators;
  const all = (holds: (sense: ColumnSense) => boolean): boolean => columns.every(({ sense }) => holds(sense));
  return mappingOperators.filter((operator) => {
    if (operator === '=' || operator === '!=') return true;
    if (operator === 'like' || operator === 'not like') return all((sense) => sense === 'text');
    return all((sense) => !unordered.has(sense));
  });
}

/** The mapping as plain data. A partial text contains one entry only, which then is the first. */
function mappingAt({ data, path, indexes }: KnownPlace): Readonly<Record<string, unknown>> | undefined {
  const [relationship = 0, mapping = 0] = indexes;
  const entries = child(data, 'relationships');
  const entry = child(entries, relationship) ?? child(entries, 0);
  const within = path.slice(2, -2).reduce<unknown>((value, step) => child(value, step), entry);
  return child(within, mapping) as Readonly<Record<string, unknown>> | undefined;
}

function child(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
}
