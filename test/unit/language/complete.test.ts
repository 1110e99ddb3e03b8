import assert from 'node:assert/strict';
import { completeDataSources } from '../../../server/src/language/completion/complete-data-sources.ts';
import { completeGraphTests } from '../../../server/src/graph-tests/complete-tests.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withoutStops } from '../../../server/src/language/completion/snippet-text.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';
import { sourceKinds } from '../../../server/src/connectors/source-kinds.ts';

const elements = `elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [id]
  - activityName: Win Customer
    dataObject: customers
`;

/** A text, the first labels, and the forbidden ones. */
interface Case {
  readonly name: string;
  readonly text: string;
  readonly first: readonly string[];
  readonly never?: readonly string[];
}

const cases: readonly Case[] = [
  ...(
    [
      ['id', 'customer_id', ['=', '!=', '<', '<=', '>', '>='], ['like', 'not like']],
      ['note', 'note', ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like'], []],
      ['id', 'nothing', ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like'], []],
    ] as const
  ).map(([source, target, first, never]) => ({
    name: `operators that fit ${source} and ${target}`,
    text: `${elements}relationships:\n  - source: Place Order\n    target: Place Order\n    mappings:\n      - { source: ${source}, target: ${target}, operator: <|> }\n`,
    first,
    never,
  })),
  {
    name: 'top level keys still possible, the required first',
    text: 'name: x\nversion: 1\n<|>',
    first: ['dataSource', 'description', 'dataObjects'],
    never: ['name', 'version'],
  },
  { name: 'a half-typed key', text: 'version: 1\ndataS<|>', first: ['dataSource'] },
  {
    name: 'keys of an element, required ones first',
    text: 'elements:\n  - activityName: A\n    <|>\n    startTimestamp: x\n',
    first: ['dataObject', 'key', 'entityType'],
    never: ['activityName', 'startTimestamp'],
  },
  {
    name: 'a new entry of elements',
    text: 'elements:\n  - <|>',
    first: ['New element', 'activityName', 'dataObject', 'startTimestamp'],
  },
  { name: 'a new line of elements', text: 'elements:\n  <|>', first: ['New element'] },
  {
    name: 'keys of an element inside braces',
    text: 'elements:\n  - { activityName: A, <|> }',
    first: ['dataObject', 'startTimestamp', 'key'],
    never: ['activityName', 'New element'],
  },
  {
    name: 'the keys of a time in braces',
    text: elements.replace('startTimestamp: placed_at', 'startTimestamp: { <|> }'),
    first: ['column', 'expression', 'atEndOfDay'],
  },
  {
    name: 'the columns of a time in braces, times first',
    text: elements.replace('startTimestamp: placed_at', 'startTimestamp: { column: <|> }'),
    first: ['placed_at', 'shipped_on'],
  },
  {
    name: 'the values of atEndOfDay',
    text: elements.replace('startTimestamp: placed_at', 'startTimestamp: { column: shipped_on, atEndOfDay: <|> }'),
    first: ['true', 'false'],
  },
  { name: 'data sources', text: 'dataSource: <|>', first: ['shop', 'files'] },
  {
    name: 'data objects of an element, the selected first',
    text: `dataObjects: [customers]\nelements:\n  - dataObject: <|>`,
    first: ['customers', 'orders'],
  },
  {
    name: 'data objects to select, the others first',
    text: 'dataObjects: [customers, <|>]',
    first: ['orders', 'customers'],
  },
  {
    name: 'timestamps first for a start, also while the colon has no value',
    text: elements.replace('startTimestamp: placed_at', 'startTimestamp: <|>'),
    first: ['placed_at', 'shipped_on', 'note'],
  },
  {
    name: 'timestamps for a half-typed value',
    text: elements.replace('placed_at', 'pl<|>aced'),
    first: ['placed_at', 'shipped_on'],
  },
  {
    name: 'numbers first for a sequence',
    text: elements.replace('    properties', '    sequence: <|>\n    properties'),
    first: ['id', 'customer_id'],
  },
  {
    name: 'properties that are not listed yet',
    text: elements.replace('[id]', '[id, <|>]'),
    first: ['customer_id', 'note'],
    never: ['id', 'all'],
  },
  { name: 'all, or a list', text: elements.replace('[id]', '<|>'), first: ['all', 'id'] },
  {
    name: 'properties in block style',
    text: elements.replace('[id]', '\n      - id\n      - <|>'),
    first: ['customer_id', 'note'],
    never: ['id'],
  },
  {
    name: 'columns of the right element',
    text: elements + '    key: <|>',
    first: ['id', 'name', 'since'],
    never: ['placed_at'],
  },
  {
    name: 'activity names for the ends',
    text: `${elements}relationships:\n  - source: <|>`,
    first: ['Place Order', 'Win Customer'],
  },
  {
    name: 'columns of the target in a mapping',
    text: `${elements}relationships:\n  - source: Place Order\n    target: Win Customer\n    mappings:\n      - { source: customer_id, target: <|> }\n`,
    first: ['id', 'name', 'since'],
  },
  {
    name: 'columns of the source in a mapping in block style',
    text: `${elements}relationships:\n  - source: Place Order\n    target: Win Customer\n    mappings:\n      - source: <|>\n`,
    first: ['id', 'customer_id', 'note'],
  },
  {
    name: 'columns of the cross table',
    text: `${elements}relationships:\n  - source: Place Order\n    target: Place Order\n    crossTable:\n      dataObject: customers\n      sourceMappings: [{ source: id, cross: <|> }]\n`,
    first: ['id', 'name', 'since'],
  },
  { name: 'operators', text: 'relationships:\n  - mappings: [{ source: a, operator: <|> }]', first: ['=', '!=', '<'] },
  {
    name: 'values of an enumeration',
    text: 'relationships:\n  - correlate: <|>',
    first: ['both', 'source', 'target', 'none'],
  },
  { name: 'nothing inside comments', text: 'elements:\n  - key: x # <|>\n', first: [] },
  {
    name: 'columns despite a broken line elsewhere',
    text: elements
      .replace('dataObject: customers', 'dataObject: orders\n    startTimestamp: <|>\n    key: [')
      .replace('[id]', '[id'),
    first: ['placed_at'],
  },
];

describe('completeEntityGraph', () => {
  for (const { name, text: marked, first, never = [] } of cases) {
    it(name, () => {
      const { text, offset } = withCursor(marked);
      const proposals = completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset);
      const labels = proposals
        .toSorted((left, right) => ((left.sortText ?? left.label) < (right.sortText ?? right.label) ? -1 : 1))
        .map(({ label }) => label);
      assert.deepEqual(labels.slice(0, first.length), first, labels.join());
      if (first.length === 0) assert.deepEqual(labels, []);
      for (const label of never) assert.ok(!labels.includes(label), label);
    });
  }

  it('replaces the typed word, quotes values for YAML, and describes tables', () => {
    const { text, offset } = withCursor(elements.replace('dataObject: customers', 'dataObject: cust<|>omer'));
    const [first] = completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset);
    assert.ok(first);
    assert.equal(text.slice(first.replace.start, first.replace.end), 'customer');
    assert.equal(first.detail, 'table · 5 columns · about 6,000 rows');
    const odd = {
      ...catalog,
      objects: [{ ...catalog.objects[0], name: 'a: b, c' } as (typeof catalog.objects)[number]],
    };
    const listed = withCursor('dataObjects: [<|>]');
    const [quoted] = completeEntityGraph({ parsed: parseEntityGraph(listed.text), catalog: odd }, listed.offset);
    assert.equal(quoted?.insertText, "'a: b, c'");
  });

  it('never throws, at any position of any truncated file', () => {
    const text = `${elements}relationships:\n  - { source: A, mappings: [{ source: a, target: b }] }\n`;
    for (let end = 0; end <= text.length; end += 1) {
      const part = text.slice(0, end);
      completeEntityGraph({ parsed: parseEntityGraph(part), sources, catalog }, end);
    }
  });
});

describe('completeDataSources', () => {
  const labelsAt = (marked: string): readonly string[] => {
    const { text, offset } = withCursor(marked);
    return completeDataSources({ parsed: parseDataSources(text) }, offset).map(({ label }) => label);
  };

  it('offers kinds, the settings of a kind, and whole sources', () => {
    assert.deepEqual(labelsAt('dataSources:\n  a:\n    kind: postgresql\n    password: <|>'), [
      '${secret:a}',
      '${env:A_PASSWORD}',
    ]);
    const kinds = sourceKinds();
    assert.deepEqual(
      labelsAt('dataSources:\n  a:\n    kind: <|>'),
      kinds.map(({ name }) => name),
    );
    const rest = 'dataSources:\n  a:\n    kind: rest\n    endpoints:\n      - name: b\n        path: /b\n        ';
    assert.deepEqual(labelsAt(`${rest}pagination: <|>`), ['none']);
    assert.deepEqual(labelsAt(`${rest}pagination:\n          <|>`).slice(0, 2), ['style', 'parameter']);
    const settings = labelsAt('dataSources:\n  a:\n    kind: csv\n    <|>');
    assert.ok(
      settings.includes('nullValues') && !settings.includes('kind') && !settings.includes('password'),
      settings.join(),
    );
    assert.deepEqual(
      labelsAt('dataSources:\n  <|>'),
      kinds.map(({ snippet }) => snippet.label),
    );
    assert.deepEqual(labelsAt('dataSources:\n  a: { kind: postgresql, ssl: { mode: <|> } }').slice(-1), [
      'verify-full',
    ]);
  });

  const names = { secrets: ['billing', 'shop'], variables: ['HOME', 'SHOP_USER'] };
  const known = [
    '${secret:own}',
    '${secret:billing}',
    '${secret:shop}',
    '${env:OWN_USER}',
    '${env:HOME}',
    '${env:SHOP_USER}',
  ];
  const own = '  own: { kind: postgresql, user: "${env:OWN_USER}", password: "${secret:own}" }\n';
  /** A line of settings with a cursor, the proposals (undefined: any value), and the line with the third of them. */
  const references: readonly (readonly [line: string, offered: readonly string[] | undefined, after?: string])[] = [
    ['    user: $<|>', known, '    user: ${secret:shop}'],
    ['    user: ${<|>', known, '    user: ${secret:shop}'],
    ['    user: ${<|>}', known, '    user: ${secret:shop}'],
    ['    user: ${secret:<|>}', known, '    user: ${secret:shop}'],
    ['    user: ${secret:bi<|>ll} # who', known, '    user: ${secret:shop} # who'],
    ['    user: "${env:<|>', known, '    user: "${secret:shop}"'],
    ['    user: "a ${<|>} b"', known, '    user: "a ${secret:shop} b"'],
    ["    user: '${<|>}'", known, "    user: '${secret:shop}'"],
    ['    ssl: { ca: ${<|>} }', known, '    ssl: { ca: "${secret:shop}" }'],
    ['    ssl: { ca: ${env:<|> }', known, '    ssl: { ca: "${secret:shop}" }'],
    ['    password: ${<|>}', ['${secret:db}', '${env:DB_PASSWORD}', ...known], '    password: ${secret:own}'],
    ['    password: <|>', ['${secret:db}', '${env:DB_PASSWORD}', ...known.slice(0, 3)], '    password: ${secret:own}'],
    ['    user: US$ <|>', undefined],
    ['    # ${<|>', undefined],
  ];
  for (const [line, offered, after] of references) {
    it(`offers names of secrets and environment variables in ${line.trim()}`, () => {
      const { text, offset } = withCursor(`dataSources:\n${own}  db:\n    kind: postgresql\n${line}\n`);
      const proposals = completeDataSources({ parsed: parseDataSources(text), names }, offset);
      assert.deepEqual(
        proposals.map(({ label }) => label),
        offered ?? [],
      );
      const third = proposals[2];
      if (!third || after === undefined) return;
      const written = text.slice(0, third.replace.start) + third.insertText + text.slice(third.replace.end);
      assert.equal(written, text.replace(line.replace('<|>', ''), after));
      // Editors filter by the text between the start of the replaced range and the cursor.
      assert.ok(third.replace.start === offset || third.filterText?.startsWith('${'));
    });
  }
});

describe('completion in an empty file', () => {
  const graph = (text: string, offset: number, known = sources) =>
    completeEntityGraph({ parsed: parseEntityGraph(text), sources: known, catalog }, offset);
  const inserted = (proposals: ReturnType<typeof graph>, label: string): string | undefined =>
    proposals.find((each) => each.label === label)?.insertText;
  const skeleton = (dataSource: string): string =>
    `version: 1\ndataSource: ${dataSource}\nelements:\n  - activityName: \${2}\n    dataObject: \${3}\n    startTimestamp: \${4}$0`;
  const one = parseDataSources('version: 1\ndataSources:\n  my shop: { kind: csv, path: "*.csv" }\n').sources;

  it('offers a skeleton and a draft, before all fields', () => {
    for (const [text, offset] of [
      ['', 0],
      ['\n', 0],
      ['# Orders\n', 9],
      ['# Orders\n\n', 9],
      ['New', 3],
    ] as const) {
      const proposals = graph(text, offset);
      assert.deepEqual(
        proposals.slice(0, 2).map(({ label }) => label),
        ['New entity graph', 'Draft from a data source'],
        text,
      );
      assert.equal(inserted(proposals, 'New entity graph'), skeleton('${1|shop,files|}'));
    }
    for (const [text, offset] of [
      ['version: 1\n', 11],
      ['  ', 2],
      ['name: ', 6],
      ['elements:\n  ', 12],
    ] as const)
      assert.equal(
        inserted(graph(text, offset), 'New entity graph'),
        text === '  ' ? skeleton('${1|shop,files|}') : undefined,
        text,
      );
  });

  it('writes values that have no other choice', () => {
    assert.equal(inserted(graph('', 0, one), 'New entity graph'), skeleton('my shop'));
    assert.equal(inserted(graph('', 0), 'version'), 'version: 1');
    assert.equal(inserted(graph('', 0, one), 'dataSource'), 'dataSource: my shop');
    assert.equal(inserted(graph('', 0), 'dataSource'), 'dataSource: ');
    assert.equal(inserted(graph('{\n  \n}', 4, one), 'dataSource'), '"dataSource": "my shop"');
    assert.equal(inserted(graph('{\n  \n}', 4), 'version'), '"version": 1');
  });

  it('offers a skeleton of a sources file and of tests', () => {
    const sourcesFile = completeDataSources({ parsed: parseDataSources('') }, 0);
    const written = withoutStops(inserted(sourcesFile, 'New data sources file') ?? '');
    assert.equal(written, 'version: 1\ndataSources:\n  name:\n    kind: postgresql');
    const tests = completeGraphTests(parseYaml(''), { tested: undefined, graphFiles: ['shop.entity.yaml'] }, 0);
    const text = withoutStops((inserted(tests, 'New tests') ?? '').replaceAll(/\$\{[25]\}/g, '1'));
    const { document } = parseYaml(text);
    assert.deepEqual(document.toJS(), {
      graph: 'shop.entity.yaml',
      tests: [{ name: 1, given: { rows: [{ id: 1 }] }, expect: { events: [] } }],
    });
  });
});

describe('snippets', () => {
  /** With each empty stop filled in. */
  const expand = (snippet: string): string => withoutStops(snippet.replaceAll(/(?<!secret:)\$\{\d\}/g, 'x'));
  const places: readonly (readonly [marked: string, schema: 'graph' | 'sources'])[] = [
    ['version: 1\ndataSources:\n  <|>', 'sources'],
    [`version: 1\ndataSource: shop\n${elements}relationships:\n  - <|>`, 'graph'],
    ['version: 1\ndataSource: shop\nelements:\n  - <|>', 'graph'],
  ];
  for (const [marked, schema] of places) {
    const { text, offset } = withCursor(marked);
    const proposals =
      schema === 'sources'
        ? completeDataSources({ parsed: parseDataSources(text) }, offset)
        : completeEntityGraph({ parsed: parseEntityGraph(text) }, offset);
    for (const { label, insertText, oneLine, replace } of proposals.filter(({ kind }) => kind === 'snippet')) {
      const withEntry = (entry: string): string => {
        const indent = /^ */.exec(text.slice(text.lastIndexOf('\n', replace.start - 1) + 1))?.[0] ?? '';
        return `${text.slice(0, replace.start)}${entry.replaceAll('\n', `\n${indent}`)}${text.slice(replace.end)}\n`;
      };

      it(`"${label}" is valid right after insertion`, () => {
        const whole = withEntry(expand(insertText));
        const problems =
          schema === 'sources'
            ? validateDataSources({ text: whole, parsed: parseDataSources(whole) })
            : validateEntityGraph({ text: whole, parsed: parseEntityGraph(whole) });
        const structural = problems.filter(({ code }) => /^(?:yaml|schema|literal)-/.test(code));
        assert.deepEqual(structural, [], whole);
      });

      it(`"${label}" has no stop with a text that completion and Enter would take for typed text`, () => {
        const stops = insertText.match(/(?<!\\)\$\{[^}]*\}/g) ?? [];
        assert.ok(stops.length > 0, insertText);
        for (const stop of stops) assert.match(stop, /^\$\{\d(\|[^|]+\|)?\}$/);
      });

      it(`"${label}" means the same on one line`, () => {
        const [several, one] = [insertText, oneLine ?? ''].map((each) => parseYaml(withEntry(withoutStops(each))));
        assert.ok(!oneLine?.includes('\n'));
        assert.deepEqual(one?.document.toJS(), several?.document.toJS());
      });
    }
  }
});
