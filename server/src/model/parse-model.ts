import { readElement } from './convert/element.ts';
import { type YamlObject, objectsOf, present, readObject, textOf, textsOf, valueOf } from './convert/read-node.ts';
import { readRelationship } from './convert/relationship.ts';
import type { EntityGraph, ImportSettings } from './entity-graph.ts';
import type { Problem } from './problem.ts';
import { type YamlText, parseYaml } from './yaml-text.ts';

/** What a text says, as far as it can be read. */
export interface ParsedEntityGraph {
  readonly graph: EntityGraph;
  /** Syntax errors only; rules and the schema are checked by the language features. */
  readonly problems: readonly Problem[];
  readonly yaml: YamlText;
}

/** Reads an entity graph from YAML or JSON. Never throws: what cannot be read is absent from the model. */
export function parseEntityGraph(text: string): ParsedEntityGraph {
  const yaml = parseYaml(text);
  const root = readObject(yaml.document.contents, yaml);
  return { graph: root ? readGraph(root, text) : emptyGraph(text), problems: yaml.problems, yaml };
}

function readGraph(root: YamlObject, text: string): EntityGraph {
  return {
    range: { start: 0, end: text.length },
    dataObjects: textsOf(root, 'dataObjects'),
    elements: objectsOf(root, 'elements').map(readElement),
    relationships: objectsOf(root, 'relationships').map(readRelationship),
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
