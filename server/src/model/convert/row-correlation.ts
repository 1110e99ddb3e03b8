import type { RowCorrelation } from '../entity-graph.ts';
import { readKey } from './key.ts';
import { type YamlObject, objectsOf, placedAt, present, rawTextOf, textOf, valueOf } from './read-node.ts';

/** The entries of `correlatesWith`; undefined when the key is missing or its list has no entries. */
export function readRowCorrelations(object: YamlObject): readonly RowCorrelation[] | undefined {
  if (!valueOf(object, 'correlatesWith')) return undefined;
  const entries = objectsOf(object, 'correlatesWith').map(readRowCorrelation);
  return entries.length > 0 ? entries : undefined;
}

function readRowCorrelation(object: YamlObject): RowCorrelation {
  const each = textOf(object, 'each');
  return placedAt(object.node, {
    key: readKey(object) ?? [],
    ...present({
      entityType: textOf(object, 'entityType'),
      qualifier: textOf(object, 'qualifier'),
      each: each?.value === 'list' ? (each as NonNullable<RowCorrelation['each']>) : undefined,
      separator: rawTextOf(object, 'separator'),
    }),
  });
}
