/** A valid file: elements, and relationships between neighbours. */
export function largeGraph(lines: number): string {
  const head = 'version: 1\nname: Large\ndataSource: files\ndataObjects: [orders, customers]\nelements:\n';
  const elements = Math.floor((lines - 8) / 10);
  const element = (index: number): string => `  - activityName: Place Order ${index}
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: placed_at
    properties: [note, customer_id]
    where: |
      orders.note IS NOT NULL
      AND orders.id > ${index}
`;
  const relationship = (index: number): string =>
    `  - { name: r${index}, source: Place Order ${index}, target: Place Order ${index + 1}, mappings: [{ source: customer_id, target: id }] }\n`;
  const list = (count: number, entry: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => entry(index)).join('');
  return `${head}${list(elements, element)}  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }\nrelationships:\n  - { name: buys, source: Win Customer, target: Place Order 0, mappings: [{ source: id, target: customer_id }] }\n${list(elements - 1, relationship)}`;
}

/** Positions in a file, computed in advance, because searching takes longer than the requests. */
export interface FilePlaces {
  /** The line (0-based) of a key of the element in the middle of the file and `offset` elements further on. */
  lineOfKey(key: 'entityType' | 'key', offset: number): number;
  /** The line (0-based) of the relationship in the middle of the file and `offset` places further on, and where one of its ends is named. */
  placeOfEnd(end: 'source' | 'target', offset: number): readonly [number, number];
}

export function placesOf(text: string): FilePlaces {
  const lines = text.split('\n');
  const linesWith = (start: string): readonly number[] =>
    lines.flatMap((line, index) => (line.startsWith(start) ? [index] : []));
  const keys = { entityType: linesWith('    entityType:'), key: linesWith('    key:') };
  const relationships = linesWith('  - { name: r');
  const at = (all: readonly number[], offset: number): number =>
    all[(Math.floor(all.length / 2) + offset * 7) % all.length] ?? 0;
  return {
    lineOfKey: (key, offset) => at(keys[key], offset),
    placeOfEnd(end, offset) {
      const line = at(relationships, offset);
      return [line, (lines[line] ?? '').indexOf(`${end}: `) + `${end}: `.length];
    },
  };
}
