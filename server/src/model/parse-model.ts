import type { YAMLMap } from 'yaml';
import { readElement } from './convert/element.ts';
import { type YamlObject, objectsOf, present, readObject, textOf, textsOf, valueOf } from './convert/read-node.ts';
import { readRelationship } from './convert/relationship.ts';
import type { EntityElement, EntityGraph, ImportSettings, Relationship } from './entity-graph.ts';
import type { Problem } from './problem.ts';
import { type YamlText, parseYaml } from './yaml-text.ts';

/** What a text says, as far as it can be read. */
export interface ParsedEntityGraph {
  readonly graph: EntityGraph;
  /** Syntax errors only; rules and the schema are checked by the language features. */
  readonly problems: readonly Problem[];
  readonly yaml: YamlText;
  /** The node of an entry: the same object for as long as the entry's text stays, also when it moves. */
  readonly originOf: (entry: EntityElement | Relationship) => YAMLMap | undefined;
}

/** Converts an entry, or gives what it was converted to before. */
export type EntryReader = <Entry extends EntityElement | Relationship>(
  object: YamlObject,
  index: number,
  convert: (object: YamlObject, index: number) => Entry,
) => Entry;

/** Reads an entity graph from YAML or JSON. Never throws: what cannot be read is absent from the model. */
export function parseEntityGraph(
  text: string,
  yaml: YamlText = parseYaml(text),
  readEntry: EntryReader = (object, index, convert) => convert(object, index),
): ParsedEntityGraph {
  const root = readObject(yaml.document.contents, yaml);
  const origins = new Map<EntityElement | Relationship, YAMLMap>();
  const graph = root ? readGraph(root, text, origins, readEntry) : emptyGraph(text);
  return { graph, problems: yaml.problems, yaml, originOf: (entry) => origins.get(entry) };
}

type Origins = Map<EntityElement | Relationship, YAMLMap>;

function readGraph(root: YamlObject, text: string, origins: Origins, readEntry: EntryReader): EntityGraph {
  const read = <Entry extends EntityElement | Relationship>(
    key: string,
    convert: (object: YamlObject, index: number) => Entry,
  ): readonly Entry[] =>
    objectsOf(root, key).map((object, index) => {
      const entry = readEntry(object, index, convert);
      origins.set(entry, object.map);
      return entry;
    });
  return {
    range: { start: 0, end: text.length },
    dataObjects: textsOf(root, 'dataObjects'),
    elements: read('elements', readElement),
    relationships: read('relationships', readRelationship),
    import: readImport(root),
    ...present({
      name: textOf(root, 'name'),
      description: textOf(root, 'description'),
      dataSource: textOf(root, 'dataSource'),
    }),
  };
}

function readImport(root: YamlObject): ImportSettings {
  const object = readObject(valueOf(root, 'import'), root.yaml);
  const schema = object && textOf(object, 'schema');
  const engine = object && textOf(object, 'engine')?.value === 'source' ? 'source' : 'embedded';
  return { engine, ...(schema ? { schema } : {}) };
}

function emptyGraph(text: string): EntityGraph {
  return {
    range: { start: 0, end: text.length },
    dataObjects: [],
    elements: [],
    relationships: [],
    import: { engine: 'embedded' },
  };
}
