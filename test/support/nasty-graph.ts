/** Entity graphs in every YAML notation, chosen by a seed. */
export interface NastyText {
  readonly text: string;
  /** The activity names in it. */
  readonly activities: readonly string[];
}

type Pick = <T>(of: readonly T[]) => T;

/** Deterministic random numbers. */
export function createPick(seed: number): Pick {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (of) => of[Math.floor(next() * of.length)] as (typeof of)[number];
}

const names = [
  'Place Order',
  'Ship: it',
  '# Pay',
  "Don't ask",
  'Close "it"',
  'Ünïcode ✓',
  'a, b',
  '12',
  'true',
  '- x',
  'on',
];
const texts = [
  'orders',
  'x: y',
  'a #b',
  "it's",
  '[a]',
  '{ b }',
  '*c',
  '&d',
  '!e',
  '| f',
  '> g',
  '@h',
  '%i',
  ' j',
  'null',
  '1e3',
  '',
];
const filters = [
  "orders.note = 'x'",
  'a > 1\nAND b < 2',
  'a = 1 -- really?\n',
  '  indented\nless',
  'a\n\n\nb\n',
  '# no comment',
];

/** @param most maximum number of elements. */
export function nastyGraph(seed: number, most = 3): NastyText {
  const pick = createPick(seed);
  const comment = (): string => pick(['', '', '', ' # said', '   # "quoted: [', ' #']);
  const own = (indent: string): string =>
    pick(['', '', '', `${indent}# above\n`, '\n', `${indent}# - not: an entry\n\n`, '# far out\n']);
  const count = pick(Array.from({ length: most }, (_, index) => index + 1));
  const activities = Array.from({ length: count }, (_, index) =>
    index === 0 ? pick(names) : `${pick(names)} ${index}`,
  );
  const isLinked = pick([false, false, true]);

  /** A text in some notation, after a key or dash with this indentation. */
  function scalar(value: string, indent: string, inFlow = false): string {
    const inner = `${indent}  `;
    const quoted = [JSON.stringify(value), ...(/[\n\r]/.test(value) ? [] : [`'${value.replaceAll("'", "''")}'`])];
    const isPlain = /^[A-Za-z][\w ]*$/.test(value) && !/ $|^(?:true|null|on)$/i.test(value);
    if (inFlow) return pick([...quoted, ...(isPlain ? [value] : [])]);
    const lines = value.replace(/\n+$/, '').split('\n');
    const ends = /\n*$/.exec(value)?.[0].length ?? 0;
    const chomp = ends === 0 ? '-' : ends === 1 ? pick(['', '']) : '+';
    const isBlock = value.trim() !== '' && lines[0] !== '' && ends < 2;
    const needsIndicator = /^ /.test(lines[0] ?? '');
    const width = pick([inner, `${inner}  `]);
    const indicator = needsIndicator || pick([false, false, true]) ? String(width.length - indent.length) : '';
    const body = lines.map((line) => (line === '' ? '' : `${width}${line}`)).join('\n');
    const block = (sign: string): string => `${sign}${indicator}${chomp}${comment()}\n${body}`;
    const folded = lines.length === 1 ? [block('>')] : [];
    const words = value.split(' ');
    const wrapped = words.length > 1 && words.every((word) => /^[\w.=><']+$/.test(word)) && isPlain;
    return pick([
      ...quoted.map((each) => `${each}${comment()}`),
      ...(isPlain ? [`${value}${comment()}`, value] : []),
      ...(isBlock ? [block('|'), block('|'), ...folded] : []),
      ...(wrapped ? [`${words[0]}\n${inner}${words.slice(1).join(' ')}`, `"${words.join(`\n${inner}`)}"`] : []),
      ...(isPlain ? [`# first\n${inner}${value}`, `!!str ${value}`] : []),
    ]);
  }

  function list(items: readonly string[], indent: string): string {
    const flow = `[${pick(['', ' '])}${items.map((item) => scalar(item, indent, true)).join(pick([', ', ',']))}${pick(['', ','])} ]${comment()}`;
    const lines = `[\n${items.map((item) => `${indent}    ${scalar(item, indent, true)}, # one\n`).join('')}${indent}  ]`;
    const dashes = pick(['', '  ']);
    const block = `${comment()}\n${items.map((item) => `${own(indent)}${indent}${dashes}-${pick([' ', '   '])}${scalar(item, `${indent}${dashes}`)}`).join('\n')}`;
    return pick([` ${flow}`, ` ${lines}`, items.length === 0 ? ' []' : block]);
  }

  function element(name: string, index: number): string {
    const anchor = isLinked && index === 0 ? '&name ' : '';
    const filter = pick(filters);
    const object = pick(['orders', 'customers']);
    const columns = pick([['note', 'id'], ['note'], ['id', 'note', 'customer_id']]);
    if (pick([false, false, true])) {
      const said = [
        `activityName: ${anchor}${scalar(name, '', true)}`,
        `dataObject: ${object}`,
        `startTimestamp: ${pick(['placed_at', '"placed_at"'])}`,
      ];
      return `{ ${said.join(pick([', ', ',\n      # within\n      ']))}${pick(['', ','])} }${comment()}`;
    }
    const key = pick(['activityName', '"activityName"', "'activityName'"]);
    const written = anchor === '' ? scalar(name, '    ') : JSON.stringify(name);
    const lines = [
      `${key}: ${anchor}${written}`,
      `dataObject: ${scalar(object, '    ')}`,
      `startTimestamp: ${pick(['placed_at', '"placed_at"'])}${comment()}`,
      ...pick([[], [`where: ${scalar(filter, '    ')}`]]),
      ...pick([[], [`properties:${list(columns, '    ')}`]]),
      ...pick([[], [`x-owner: ${scalar(pick(texts), '    ')}`]]),
      ...pick([[], [], [`? x-odd\n    : ${pick(['a', '[b]'])}`]]),
    ];
    return lines.map((line, place) => (place === 0 ? line : `${own('    ')}    ${line}`)).join('\n');
  }

  function relationship(): string {
    const [source, target] = [pick(activities), pick(activities)];
    const end = (name: string): string =>
      isLinked && name === activities[0] ? pick(['*name', scalar(name, '', true)]) : scalar(name, '', true);
    if (pick([false, true]))
      return `{ source: ${end(source)}, target: ${end(target)}, mappings: [{ source: id, target: id }] }${comment()}`;
    return [
      `name: ${scalar(pick(['buys', 'ships it']), '    ')}`,
      `source: ${isLinked && source === activities[0] ? '*name' : scalar(source, '    ')}`,
      `target: ${scalar(target, '    ')}`,
      `mappings:\n      - ${pick(['{ source: id, target: id }', 'source: id\n        target: id'])}`,
    ].join('\n    ');
  }

  const dash = pick(['  -', '-']);
  const shift = (entry: string): string => (dash === '-' ? entry.replaceAll(/^ {2}/gm, '') : entry);
  const entries = (made: readonly string[]): string =>
    made.map((entry) => `${own(dash === '-' ? '' : '  ')}${shift(`  - ${entry}`)}\n`).join('');
  const sections = [
    `version: 1${comment()}\n`,
    `${own('')}name: ${scalar(pick(['Shop', 'Two words', 'Two\nlines\n', 'Trailing\n', "it's"]), '')}\n`,
    `dataSource: ${scalar('shop', '')}\n`,
    `dataObjects:${list(['orders', 'customers'], '')}\n`,
    `elements:${comment()}\n${entries(activities.map(element))}`,
    ...pick([
      [],
      [`relationships:\n${entries([relationship()])}`],
      [`relationships:\n${entries([relationship(), relationship()])}`],
    ]),
    ...pick([[], [`x-notes: ${scalar(pick(filters), '')}\n`]]),
  ];
  const head = pick(['', '', '# head\n', '---\n', '%YAML 1.2\n---\n', '\uFEFF', '# head\n\n--- # begins\n']);
  const tail = pick(['', '', '# the end\n', '...\n', '\n\n']);
  const text = `${head}${sections.join('')}${tail}`;
  return { text: pick([text, text, text.replaceAll('\n', '\r\n'), text.trimEnd()]), activities };
}
