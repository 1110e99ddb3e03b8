import entityGraphSchema from '../../../schemas/entity-graph.schema.json' with { type: 'json' };
import entitySourcesSchema from '../../../schemas/entity-sources.schema.json' with { type: 'json' };

/** Keys of a file or of a kind of object, in writing order. */
type Keys = readonly string[];

const { element, relationship } = entityGraphSchema.definitions;

export const graphKeys: Keys = keysOf(entityGraphSchema);
export const elementKeys: Keys = keysOf(element);
export const relationshipKeys: Keys = keysOf(relationship);

/** The keys of the files and of each kind of object, in schema order. */
export const formatKeys: readonly Keys[] = [entityGraphSchema, entitySourcesSchema].flatMap((schema) => [
  keysOf(schema),
  ...Object.values(schema.definitions).map(keysOf),
]);

function keysOf(schema: { readonly properties?: object }): Keys {
  return Object.keys(schema.properties ?? {});
}
