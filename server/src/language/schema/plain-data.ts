import { plainValue } from '../../model/plain-value.ts';
import type { YamlText } from '../../model/yaml-text.ts';

/** A text as plain data; undefined when its aliases lead nowhere, or grow without bound. */
export function plainData(yaml: YamlText): unknown {
  // Only what was read in parts may have aliases of what stands elsewhere.
  if (yaml.sections) return plainValue(yaml.document.contents, yaml);
  try {
    return yaml.links.isTooLarge ? undefined : (yaml.document.toJS({ maxAliasCount: -1 }) as unknown);
  } catch {
    return undefined;
  }
}
