import { type MappingOperator, mappingOperators } from '../entity-graph.ts';
import { type YamlObject, textOf, valueOf } from './read-node.ts';

/** The operator of a mapping: default `=`, undefined for an unknown one. */
export function readOperator(object: YamlObject): MappingOperator | undefined {
  if (valueOf(object, 'operator') === undefined) return '=';
  const text = textOf(object, 'operator')?.value;
  return mappingOperators.find((each) => each === text);
}
