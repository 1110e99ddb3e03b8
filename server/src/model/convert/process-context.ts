import type { ProcessContext } from '../entity-graph.ts';
import type { YamlText } from '../yaml-text.ts';
import { placedAt, readObject, textOf, textsOf } from './read-node.ts';

/** The annotation of an element; undefined without one. */
export function readProcessContext(node: unknown, yaml: YamlText): ProcessContext | undefined {
  const object = readObject(node, yaml);
  if (!object) return undefined;
  const description = textOf(object, 'description')?.value;
  const owner = textOf(object, 'owner')?.value;
  const texts = (key: string): readonly string[] => textsOf(object, key).map(({ value }) => value);
  return placedAt(object.node, {
    ...(description === undefined ? {} : { description }),
    ...(owner === undefined ? {} : { owner }),
    businessRules: textsOf(object, 'businessRules'),
    procedures: texts('procedures'),
    links: texts('links'),
  });
}
