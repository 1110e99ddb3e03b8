import type { YamlText } from '../../model/yaml-text.ts';

/** A text as plain data; undefined when its aliases grow without bound, which the library refuses. */
export function plainData(yaml: YamlText): unknown {
  try {
    return yaml.document.toJS() as unknown;
  } catch {
    return undefined;
  }
}
