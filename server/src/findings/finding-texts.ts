import type { TimeRole } from '../../../protocol/fields/element.ts';
import type { EntityElement } from '../model/entity-graph.ts';
import type { SearchedGraph } from './finding-kind.ts';

/** The column of the times of an element that have a lifecycle; null for an expression. */
export function timeColumn(element: EntityElement | undefined, lifecycle: string): string | null {
  const { startTimestamp, changeTimestamp, endTimestamp } = element ?? {};
  const column = { change: changeTimestamp, end: endTimestamp }[lifecycle] ?? startTimestamp;
  return column?.value ?? null;
}

/** The place of a finding about the starts of an element. */
export function aboutStart(
  graph: Pick<SearchedGraph, 'element'>,
  element: string,
): { readonly element: string; readonly column: string | null } {
  return { element, column: timeColumn(graph.element(element), 'start') };
}

/** The name of the field of that column. */
export function timeField(element: EntityElement | undefined, lifecycle: string): TimeRole {
  if (lifecycle === 'change') return 'changeTimestamp';
  return lifecycle === 'end' && element?.endTimestamp ? 'endTimestamp' : 'startTimestamp';
}

/** Such as `1,204 of 5,998 events`. */
export function countOf(count: number, of: number, one: 'event' | 'step' | 'entity'): string {
  const many = one === 'entity' ? 'entities' : `${one}s`;
  return `${count.toLocaleString('en')} of ${of.toLocaleString('en')} ${of === 1 ? one : many}`;
}

/** Such as `4.2 %`. */
export function percent(share: number): string {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
}

/** Names of the data in a sentence. */
export function quoted(name: string): string {
  return `"${name}"`;
}
