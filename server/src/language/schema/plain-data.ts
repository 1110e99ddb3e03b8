import { plainValue } from '../../model/plain-value.ts';
import type { YamlText } from '../../model/yaml-text.ts';

/** Converts a text to plain data; undefined for unresolvable or exponentially growing aliases. */
export function plainData(yaml: YamlText): unknown {
  // Only texts parsed in parts may have aliases to other parts.
  if (yaml.sections) return plainValue(yaml.document.contents, yaml);
  try {
    return yaml.links.isTooLarge ? undefined : (yaml.document.toJS({ maxAliasCount: -1 }) as unknown);
  } catch {
    return undefined;
  }
}
