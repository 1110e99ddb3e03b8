import { type Pair, isScalar } from 'yaml';
import { present, readObject, textOf, valueOf } from './convert/read-node.ts';
import type { DataSource, DataSources } from './data-sources.ts';
import type { Problem } from './problem.ts';
import { type YamlText, parseYaml, rangeOf } from './yaml-text.ts';

/** What a sources file says, as far as it can be read. */
export interface ParsedDataSources {
  readonly sources: DataSources;
  /** Syntax errors only. */
  readonly problems: readonly Problem[];
  readonly yaml: YamlText;
}

/** Reads an `entity-sources` file from YAML or JSON. Never throws: what cannot be read is absent from the model. */
export function parseDataSources(text: string): ParsedDataSources {
  const yaml = parseYaml(text);
  const root = readObject(yaml.document.contents, yaml);
  const entries = root && readObject(valueOf(root, 'dataSources'), yaml);
  const sources = entries ? entries.map.items.flatMap((pair) => readSource(pair, yaml) ?? []) : [];
  const { problems } = yaml;
  return {
    sources: { range: { start: 0, end: text.length }, sources, complete: problems.length === 0 },
    problems,
    yaml,
  };
}

function readSource(pair: Pair, yaml: YamlText): DataSource | undefined {
  if (!isScalar(pair.key) || pair.key.value === null) return undefined;
  const name = { value: String(pair.key.value), range: rangeOf(pair.key) };
  const object = readObject(pair.value, yaml);
  const range = { start: name.range.start, end: object?.range.end ?? name.range.end };
  const settings = object ? plainData(object.map, yaml) : {};
  return {
    name,
    range,
    timeZone: (object && textOf(object, 'timeZone')?.value) ?? 'UTC',
    settings,
    ...present({ kind: object && textOf(object, 'kind') }),
  };
}

/** The library refuses texts whose aliases would grow without bound; such settings count as none. */
function plainData(
  node: { toJS(document: YamlText['document']): unknown },
  yaml: YamlText,
): Readonly<Record<string, unknown>> {
  try {
    return node.toJS(yaml.document) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
