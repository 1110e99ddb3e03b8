import { type Pair, type YAMLMap, isMap, isPair, isScalar, visit } from 'yaml';
import { sourceKinds } from '../../connectors/source-kinds.ts';
import type { NewKey } from '../../model/edits/key-edits.ts';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, resolveNode } from '../../model/yaml-text.ts';
import { fixWithKeys } from './missing-keys.ts';
import type { Fix, QuickFix } from './quick-fix.ts';

/** Adds all required keys of an object, and fills empty ones that have a single possible value. */
export const addRequiredKeys: QuickFix = {
  codes: ['schema-missing-property', 'schema-type'],
  fixes: (problem, { parsed, sources }) =>
    requiredKeyFixes(
      problem,
      parsed.yaml,
      (sources?.sources ?? []).map(({ name }) => name.value),
    ),
};

/** @param dataSources valid values of `dataSource`. */
export function requiredKeyFixes(
  { missing, range }: Problem,
  yaml: YamlText,
  dataSources: readonly string[] = [],
): readonly Fix[] {
  if (missing) {
    const map = groupAt(range, yaml);
    return map
      ? fixWithKeys(
          yaml,
          map,
          [...missing, ...emptyKeys(map)].map((key) => likely(key, map, dataSources)),
        )
      : [];
  }
  const found = keyAt(range, yaml);
  return found ? fixWithKeys(yaml, found.map, [likely(found.key, found.map, dataSources)]) : [];
}

/** Also fills adjacent empty keys. */
function emptyKeys(map: YAMLMap): readonly string[] {
  return map.items.flatMap(({ key, value }) =>
    isScalar(key) && (value === null || (isScalar(value) && value.value === null)) ? [String(key.value)] : [],
  );
}

/** A value that is certain or nearly certain. */
function likely(key: string, map: YAMLMap, dataSources: readonly string[]): NewKey {
  const [only, ...others] = dataSources;
  if (key === 'version') return [key, 1];
  if (key === 'dataSource' && only !== undefined && others.length === 0) return [key, only];
  if (key === 'kind') return [key, kindOf(map)];
  return [key, undefined];
}

function kindOf(map: YAMLMap): string | undefined {
  return sourceKinds().find(({ tellingSettings }) => tellingSettings.some((setting) => map.has(setting)))?.name;
}

type Range = Problem['range'];

/** The object of a problem: that of the key at its position, or the one that starts there. */
function groupAt(range: Range, yaml: YamlText): YAMLMap | undefined {
  const ofKey = keyAt(range, yaml)?.value;
  if (isMap(ofKey)) return ofKey;
  let found: YAMLMap | undefined;
  visit(yaml.document, {
    Map(_key, map) {
      if (map.range?.[0] !== range.start) return undefined;
      found = map;
      return visit.BREAK;
    },
  });
  return found;
}

interface FoundKey {
  readonly map: YAMLMap;
  readonly key: string;
  readonly value: unknown;
}

/** The key at exactly this position. */
function keyAt({ start, end }: Range, yaml: YamlText): FoundKey | undefined {
  let found: FoundKey | undefined;
  visit(yaml.document, {
    Pair(_key, pair, path) {
      const { key, value } = pair as Pair;
      const map = path.at(-1);
      if (!isScalar(key) || key.range?.[0] !== start || key.range[1] !== end || isPair(map) || !isMap(map))
        return undefined;
      found = { map: map as YAMLMap, key: String(key.value), value: resolveNode(value, yaml) };
      return visit.BREAK;
    },
  });
  return found;
}
