import type { Output, OutputKind } from './output.ts';

const ofKind: Readonly<Record<OutputKind, string>> = {
  rows: 'rows',
  key: 'key',
  time: 'time',
  property: 'property',
  column: 'column',
  correlation: 'correlation',
  expectation: 'expectations',
  relationship: 'relationship',
  rule: 'rule',
  measure: 'measure',
};

/** An output in words, such as `Place Order · property value` or `rule Paid in time`. */
export function outputWords({ kind, name, of }: Output): string {
  const isPart = kind === 'rows' || kind === 'key' || kind === 'expectation';
  const own = kind === 'time' || kind === 'column' ? name : isPart ? ofKind[kind] : `${ofKind[kind]} ${name}`;
  return of === undefined ? own : `${of} · ${own}`;
}
