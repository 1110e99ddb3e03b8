import type { SelectedObject } from '../entity-graph.ts';
import { type YamlObject, itemsOf, readObject, readText, textOf, textsOf, valueOf } from './read-node.ts';

/** The selected data objects: plain entries, and the objects of `{ source, objects }` entries. */
export function readSelectedObjects(root: YamlObject): readonly SelectedObject[] {
  return itemsOf(valueOf(root, 'dataObjects'), root.yaml).flatMap((item): readonly SelectedObject[] => {
    const text = readText(item, root.yaml);
    if (text) return [text];
    const group = readObject(item, root.yaml);
    if (!group) return [];
    const dataSource = textOf(group, 'source');
    const objects = textsOf(group, 'objects');
    // The text reads its range on demand, so it is not copied.
    return dataSource ? objects.map((object) => Object.assign(object, { dataSource })) : objects;
  });
}
