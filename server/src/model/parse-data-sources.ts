import { type Pair, isScalar } from 'yaml';
import { aliasMistakes } from './alias-mistakes.ts';
import { present, readObject, textOf, valueOf } from './convert/read-node.ts';
import type { DataSource, DataSources } from './data-sources.ts';
import { plainValue } from './plain-value.ts';
import type { Problem } from './problem.ts';
import type { Located } from './source-range.ts';
import { type YamlText, parseYaml, rangeOf } from './yaml-text.ts';

/** The content of a sources file, as far as readable. */
export interface ParsedDataSources {
  readonly sources: DataSources;
  /** Syntax errors only, including aliases. */
  readonly problems: readonly Problem[];
  readonly yaml: YamlText;
}

/** Parses an `entity-sources` file (YAML or JSON). Never throws: unreadable content is absent. */
export function parseDataSources(text: string): ParsedDataSources {
  const yaml = parseYaml(text);
  const root = readObject(yaml.document.contents, yaml);
  const entries = root && readObject(valueOf(root, 'dataSources'), yaml);
  const sources = entries ? entries.map.items.flatMap((pair) => readSource(pair, yaml) ?? []) : [];
  const names = root?.map.items.flatMap(({ key }) => nameOf(key) ?? []) ?? [];
  const problems = yaml.problems.length > 0 ? yaml.problems : aliasMistakes(yaml, { isPrivate: true });
  return {
    sources: { range: { start: 0, end: text.length }, sources, names, complete: problems.length === 0 },
    problems,
    yaml,
  };
}

function readSource(pair: Pair, yaml: YamlText): DataSource | undefined {
  const name = nameOf(pair.key);
  if (!name) return undefined;
  const object = readObject(pair.value, yaml);
  const range = { start: name.range.start, end: object?.range.end ?? name.range.end };
  // Settings with unresolvable or exponentially growing aliases are empty: the file has an error then.
  const settings = object && (plainValue(object.map, yaml) as DataSource['settings'] | undefined);
  return {
    name,
    range,
    timeZone: (object && textOf(object, 'timeZone')?.value) ?? 'UTC',
    settings: settings ?? {},
    ...present({ kind: object && textOf(object, 'kind') }),
  };
}

function nameOf(key: unknown): Located<string> | undefined {
  if (!isScalar(key) || key.value === null) return undefined;
  return { value: String(key.value), range: rangeOf(key) };
}
