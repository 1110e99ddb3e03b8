/** A valid file of some 1,000 lines, in which rules about several entries find something as soon as one is lost. */
export function largeFile(): string {
  // Each of these is reached by one relationship alone.
  const related = Array.from(
    { length: 60 },
    (_, index) => `  - activityName: Place Order ${index}
    dataObject: ${index === 31 ? 'customers' : 'orders'}
    key: ${index === 31 ? 'name' : 'id'}
    entityType: order ${index}
    startTimestamp: ${index === 31 ? 'since' : 'placed_at'}
    properties: [id]
    where: |
      ${index === 31 ? 'customers' : 'orders'}.id IS NOT NULL
      AND ${index === 31 ? 'customers' : 'orders'}.id > ${index}
`,
  );
  // These are related by their subject: their keys have the same width, and are unique together.
  const paired = Array.from(
    { length: 36 },
    (_, index) => `  - activityName: Ship Order ${index}
    dataObject: orders
    key:
      - note
      - customer_id
    entityType: shipment ${Math.floor(index / 2)}
    startTimestamp: placed_at
    properties:
      - note
`,
  );
  const relationships = Array.from({ length: 30 }, (_, index) => {
    const end = index % 3;
    const mapping = index === 15 ? 'name, target: note' : 'id, target: id';
    const head = `  - name: r${index}\n    source: Place Order ${index * 2 + (index === 15 ? 1 : 0)}\n    target: Place Order ${index * 2 + (index === 15 ? 0 : 1)}\n`;
    if (end === 0) return `${head}    mappings: [{ source: ${mapping} }]\n`;
    if (end === 1) {
      return `${head}    mappings:\n      - source: customer_id\n        target: id\n      - { source: note, target: note }\n`;
    }
    return `${head}    crossTable:
      dataObject: customers
      sourceMappings: [{ source: customer_id, cross: id }]
      targetMappings: [{ cross: id, target: customer_id }]
`;
  });
  return [
    'version: 1\nname: Orders\ndataSource: shop\ndataObjects: [orders, customers]\nelements:\n',
    ...related,
    ...paired,
    'relationships:\n',
    ...relationships,
    'import:\n  engine: embedded',
  ].join('');
}

/** Kinds of damage to one line: the resulting line; undefined if it is deleted. */
export const damages: Readonly<Record<string, (line: string) => string | undefined>> = {
  'an open bracket': (line) => `${line} [`,
  'an open brace': (line) => `${line} {`,
  'an open double quote': (line) => quoted(line, '"'),
  'an open single quote': (line) => quoted(line, "'"),
  'a tab': (line) => `\t${line}`,
  'too little indentation': (line) => line.replace(/^ {2}/, ' '),
  'no indentation': (line) => line.trimStart(),
  'too much indentation': (line) => `   ${line}`,
  'a stray colon': (line) => `${line}: x`,
  'no colon': (line) => line.replace(':', ''),
  'half a key': () => '    startTi',
  'a stray dash': (line) => line.replace(/^( *)/, '$1- '),
  'a closing bracket': (line) => `${line}]`,
  'a conflict mark': () => '<<<<<<< HEAD',
  'an alias without anchor': (line) => (line.includes(': ') ? line.replace(/: .*/, ': *nowhere') : `${line} *nowhere`),
  'an at sign': (line) => (line.includes(': ') ? line.replace(': ', ': @') : line.replace(/\S/, '@$&')),
  'a line that is gone': () => undefined,
  'a percent sign': (line) => (line.includes(': ') ? line.replace(': ', ': %') : line.replace(/\S/, '%$&')),
};

function quoted(line: string, quote: string): string {
  return line.includes(': ') ? line.replace(': ', `: ${quote}`) : line.replace(/\S/, `${quote}$&`);
}

interface DamagedLine {
  readonly lineIn: (lines: readonly string[]) => number;
}

/** Damaged lines, one of each kind. */
export const damagedLines: Readonly<Record<string, DamagedLine>> = {
  'the first line': { lineIn: () => 0 },
  'a key of the file': { lineIn: lineOf('dataSource: shop') },
  'the selected data objects': { lineIn: lineOf('dataObjects: [orders, customers]') },
  'the key of the elements': { lineIn: lineOf('elements:') },
  'the head of the first element': { lineIn: lineOf('- activityName: Place Order 0') },
  'the head of an element': { lineIn: lineOf('- activityName: Place Order 30') },
  'its data object': { lineIn: lineOf('- activityName: Place Order 30', 1) },
  'its key': { lineIn: lineOf('- activityName: Place Order 30', 2) },
  'its properties': { lineIn: lineOf('- activityName: Place Order 30', 5) },
  'the head of a block of SQL': { lineIn: lineOf('- activityName: Place Order 30', 6) },
  'the first line of SQL': { lineIn: lineOf('- activityName: Place Order 30', 7) },
  'the last line of SQL': { lineIn: lineOf('- activityName: Place Order 30', 8) },
  'the only element of an object': { lineIn: lineOf('- activityName: Place Order 31') },
  'the head of a list in an element': { lineIn: lineOf('- activityName: Ship Order 10', 2) },
  'an item of it': { lineIn: lineOf('- activityName: Ship Order 10', 4) },
  'the type of entities that elements share': { lineIn: lineOf('- activityName: Ship Order 10', 5) },
  'the key of the relationships': { lineIn: lineOf('relationships:') },
  'the head of a relationship': { lineIn: lineOf('- name: r15') },
  'the source of a relationship': { lineIn: lineOf('- name: r15', 1) },
  'mappings between brackets': { lineIn: lineOf('- name: r15', 3) },
  'a mapping': { lineIn: lineOf('- name: r16', 4) },
  'the second line of a mapping': { lineIn: lineOf('- name: r16', 5) },
  'the head of a cross table': { lineIn: lineOf('- name: r17', 3) },
  'mappings of a cross table': { lineIn: lineOf('- name: r17', 5) },
  'the last line': { lineIn: (lines) => lines.length - 1 },
};

function lineOf(text: string, further = 0): (lines: readonly string[]) => number {
  return (lines) => lines.findIndex((line) => line.trim() === text) + further;
}
