import { type Node, isScalar } from 'yaml';
import type { PropertySelection, SelectedProperty } from '../entity-graph.ts';
import type { Located } from '../source-range.ts';
import { resolveNode } from '../yaml-text.ts';
import { type YamlObject, itemsOf, placedAt, readObject, readText, textOf, valueOf } from './read-node.ts';

/** `all`, or the columns of a list; none when not given. */
export function readProperties(object: YamlObject, key: string): PropertySelection {
  const node = valueOf(object, key);
  const text = readText(node, object.yaml);
  const resolved = resolveNode(node, object.yaml);
  if (text?.value === 'all' && isScalar(resolved)) return placedAt(node as Node, { kind: 'all' as const });
  return { kind: 'list', columns: readColumns(object, key) };
}

/** Each a column, or a column with another name. */
function readColumns(object: YamlObject, key: string): readonly SelectedProperty[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item): readonly SelectedProperty[] => {
    const text = readText(item, object.yaml);
    if (text) return [text];
    const entry = readObject(item, object.yaml);
    const column = entry && textOf(entry, 'column');
    const name = entry && textOf(entry, 'name');
    if (!column) return [];
    return [name ? new RenamedProperty(column, name) : column];
  });
}

/** The range moves with the text, so it is computed on demand. */
class RenamedProperty implements SelectedProperty {
  constructor(
    private readonly column: Located<string>,
    readonly name: Located<string>,
  ) {}

  get value(): string {
    return this.column.value;
  }

  get range() {
    return this.column.range;
  }
}
