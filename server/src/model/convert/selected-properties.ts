import type { SelectedProperty } from '../entity-graph.ts';
import type { Located } from '../source-range.ts';
import { type YamlObject, itemsOf, readObject, readText, textOf, valueOf } from './read-node.ts';

/** The items of `properties`: a column, or a column with another name. */
export function readSelectedProperties(object: YamlObject): readonly SelectedProperty[] {
  return itemsOf(valueOf(object, 'properties'), object.yaml).flatMap((item): readonly SelectedProperty[] => {
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
