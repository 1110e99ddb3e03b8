import type { YAMLMap } from 'yaml';
import { readElement, readMasterData, readRelationship } from './convert/entry.ts';
import { type YamlObject, objectsOf, present, readObject, textOf, valueOf } from './convert/read-node.ts';
import { readSelectedObjects } from './convert/selected-objects.ts';
import { createEntryReader, type EntryReader, type Convert } from './entry-reader.ts';
import { readCalendars } from './convert/calendar.ts';
import { readAcceptedEntry } from './convert/accepted-entry.ts';
import { readGuard } from './convert/guard.ts';
import { readMeasure } from './convert/measure.ts';
import { readProcessRule } from './convert/process-rule.ts';
import type { EntityElement, EntityGraph, ImportSettings, MasterData, Relationship } from './entity-graph.ts';
import type { Problem } from './problem.ts';
import { type Steps, toEnd } from './steps.ts';
import { type YamlText, parseYaml } from './yaml-text.ts';

/** The content of a text, as far as readable. */
export interface ParsedEntityGraph {
  readonly graph: EntityGraph;
  /** Syntax errors only; rules and schema are validated by the language features. */
  readonly problems: readonly Problem[];
  readonly yaml: YamlText;
  /** The node of an entry: the same object while the entry's text is unchanged, even if it moves. */
  readonly originOf: (entry: EntityElement | MasterData | Relationship) => YAMLMap | undefined;
}

/** Parses an entity graph (YAML or JSON). Never throws: unreadable content is absent. */
export function parseEntityGraph(text: string, yaml: YamlText = parseYaml(text)): ParsedEntityGraph {
  return toEnd(readingGraph(text, yaml, createEntryReader()));
}

/** Parses an entity graph entry by entry. */
export function* readingGraph(text: string, yaml: YamlText, entries: EntryReader): Steps<ParsedEntityGraph> {
  const root = readObject(yaml.document.contents, yaml);
  const graph = root ? yield* readGraph(root, text, entries) : emptyGraph(text);
  return { graph, problems: yaml.problems, yaml, originOf: entries.originOf };
}

function* readGraph(root: YamlObject, text: string, entries: EntryReader): Steps<EntityGraph> {
  const read = <Entry extends EntityElement | MasterData | Relationship>(key: string, convert: Convert<Entry>) =>
    entries.read(key, valueOf(root, key), root.yaml, convert);
  const calendars = readCalendars(root);
  return {
    range: { start: 0, end: text.length },
    dataObjects: readSelectedObjects(root),
    elements: yield* read('elements', readElement),
    entities: yield* read('entities', readMasterData),
    relationships: yield* read('relationships', readRelationship),
    rules: objectsOf(root, 'rules').map((object, index) => readProcessRule(object, index, calendars)),
    measures: objectsOf(root, 'measures').map((object, index) => readMeasure(object, index, calendars)),
    calendars,
    guards: objectsOf(root, 'guards').map(readGuard),
    accepted: objectsOf(root, 'accepted').map(readAcceptedEntry),
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
  const catalog = object && textOf(object, 'catalog');
  return {
    engine,
    ...(schema ? { schema } : {}),
    ...(catalog ? { catalog } : {}),
    ...(object ? { range: object.range } : {}),
  };
}

function emptyGraph(text: string): EntityGraph {
  return {
    range: { start: 0, end: text.length },
    dataObjects: [],
    elements: [],
    entities: [],
    relationships: [],
    rules: [],
    measures: [],
    calendars: [],
    guards: [],
    accepted: [],
    import: { engine: 'embedded' },
  };
}
