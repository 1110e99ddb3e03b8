import fc from 'fast-check';
import { graphText } from './import-text.ts';

/** PostgreSQL tables with difficult keys, times, orders and texts. */
export const shop = `
  CREATE TABLE customers (id text PRIMARY KEY, since date, "Name" text);
  CREATE TABLE orders (id int, part int, customer text, at timestamptz, changed timestamp, seq numeric, kind text, state text, amount numeric(10,2), paid boolean, tags text[], PRIMARY KEY (id, part));
  CREATE TABLE lines (order_id int, part int, product text, at text, weight double precision, qty bigint);
  CREATE TABLE product_customer (product text, customer text);
  INSERT INTO customers VALUES ('ä', '2024-01-01', 'Ä'), ('Z', '2024-01-02', NULL), ('a', '2023-12-31', 'x''y'), ('ü "q"', NULL, 'none'), ('self', '2024-03-31', 'me');
  INSERT INTO orders VALUES
    (1, 1, 'ä', '2024-03-31 01:30+00', '2024-03-31 02:30', 2, 'b', 'New', 1.50, true, '{a,b}'),
    (1, 2, 'ä', '2024-03-31 01:30+00', '2024-10-27 02:30', 10, 'B', 'Paid', NULL, false, NULL),
    (2, 1, 'Z', '2024-03-31 01:30+00', NULL, NULL, NULL, NULL, 3, NULL, '{}'),
    (3, 1, NULL, NULL, '2024-01-01', 1, 'a', 'New', 4, true, '{c}'),
    (4, 1, 'self', 'infinity', '2024-01-01', 1, 'ä', 'New', 4, true, NULL),
    (5, 1, 'a', '2024-01-05 00:00:00.123456+02', '2024-01-04', 1, 'Z', 'Lost', 0.1, true, NULL);
  INSERT INTO lines VALUES (1, 1, 'p', '2024-01-01T10:00:00+02:00', 1.5, 9007199254740993), (1, 1, 'p', '2024-01-01T10:00:00+02:00', 1.5, 9007199254740993),
    (1, 2, 'q', '2024-01-02 10:00', 2.25, NULL), (2, 1, 'q', '2024-01-02', NULL, 1), (9, 9, 'r', NULL, 0, 2);
  INSERT INTO product_customer VALUES ('p', 'ä'), ('p', 'Z'), ('q', 'Z'), ('r', NULL), ('p', 'ä');
`;

export const customers = '  - { activityName: Win, dataObject: customers, startTimestamp: since, properties: all }\n';
export const orders =
  '  - { activityName: Order, dataObject: orders, startTimestamp: at, changeTimestamp: changed, properties: [amount, paid, tags, at, changed] }\n';
export const lines =
  '  - { activityName: Pick, dataObject: lines, key: product, entityType: product, startTimestamp: at, properties: [weight, qty] }\n';
export const places =
  '  - { name: places, source: Win, target: Order, mappings: [{ source: id, target: customer }] }\n';

/** One graph per rule of docs/semantics.md that is decided by SQL. */
export const ruleGraphs: Readonly<Record<string, string>> = {
  'one element': graphText(customers),
  'several keys, start and change, all kinds of properties': graphText(orders),
  'an order by number': graphText(orders.replace('changeTimestamp', 'sequence: seq, changeTimestamp')),
  'an order by text': graphText(orders.replace('changeTimestamp', 'sequence: kind, changeTimestamp')),
  'an order by time': graphText(orders.replace('changeTimestamp', 'sequence: changed, changeTimestamp')),
  'orders of several kinds': graphText(
    orders.replace('changeTimestamp', 'sequence: paid, changeTimestamp') +
      customers.replace('startTimestamp', 'sequence: "Name", startTimestamp') +
      lines.replace('startTimestamp', 'sequence: qty, startTimestamp'),
  ),
  'activities from a column': graphText(
    orders.replace('startTimestamp', 'activityColumn: state, startTimestamp') + customers,
  ),
  'times in text, equal rows': graphText(lines),
  'a filter and a join': graphText(
    `  - activityName: Ship\n    dataObject: orders\n    startTimestamp: at\n    joins: JOIN lines AS l ON l.order_id = orders.id AND l.part = orders.part\n    where: orders.paid\n    properties: [amount, l.weight]\n`,
  ),
  'a relation': graphText(customers + orders, places),
  'relations of all directions': graphText(
    customers + orders + lines,
    places +
      '  - { name: has, source: Order, target: Pick, correlate: source, mappings: [{ source: id, target: order_id }, { source: part, target: part }] }\n' +
      '  - { name: before, source: Order, target: Order, correlate: none, mappings: [{ source: id, operator: "<", target: id }] }\n' +
      '  - { name: likes, source: Pick, target: Win, correlate: target, crossTable: { dataObject: product_customer, sourceMappings: [{ source: product, cross: product }], targetMappings: [{ cross: customer, target: id }] } }\n',
  ),
  'elements that share entities': graphText(
    customers + orders.replace('startTimestamp', 'key: customer, entityType: customers, startTimestamp'),
  ),
};

/** Later rules: the plans of `ruleGraphs` show that graphs without them are built as before. */
export const laterRuleGraphs: Readonly<Record<string, string>> = {
  'properties with names of their own': graphText(
    `  - activityName: Ship\n    dataObject: orders\n    startTimestamp: at\n    joins: JOIN lines AS l ON l.order_id = orders.id AND l.part = orders.part\n    properties: [amount, { column: l.weight, name: weight }, { column: id, name: part }, { column: part, name: Part of it }, { column: id, name: product }, { column: at, name: "at the hour" }]\n`,
  ),
  'computed times': graphText(
    orders
      .replace('startTimestamp: at', `startTimestamp: { expression: "orders.at - interval '1 hour' * part" }`)
      .replace('changeTimestamp: changed', 'changeTimestamp: { expression: "changed::date" }'),
  ),
  'times computed from a joined table, some missing': graphText(
    `  - activityName: Ship\n    dataObject: orders\n    startTimestamp: { expression: "CASE WHEN l.at LIKE '____-__-__T%' THEN l.at::timestamptz END" }\n    changeTimestamp: { expression: "(SELECT max(since) FROM customers WHERE id = orders.customer)" }\n    joins: JOIN lines AS l ON l.order_id = orders.id\n    properties: [{ column: l.at, name: startTimestamp~2 }]\n`,
  ),
  'start, change and end in one row': graphText(
    customers +
      orders.replace(
        'changeTimestamp: changed',
        'changeTimestamp: { expression: "changed - interval \'1 day\'" }, endTimestamp: changed',
      ),
    places,
  ),
  'ends of events that belong to entities named by their rows': graphText(
    lines.replace(
      'key: product, entityType: product, startTimestamp: at',
      'key: [order_id, part], entityType: line, startTimestamp: { expression: "CAST(\'2024-01-01 09:00\' AS timestamp)" }, endTimestamp: at, activityColumn: product, correlatesWith: [{ entityType: product, key: product }]',
    ),
  ),
  'starts and ends in two rows': graphText(
    orders.replace(
      'startTimestamp: at, changeTimestamp: changed',
      'key: customer, entityType: customers, startTimestamp: at, sequence: seq, lifecycle: { column: state, start: [New], end: [Paid, Lost] }',
    ) + customers,
    places,
  ),
  'starts and ends in equal rows, by a number': graphText(
    lines.replace(
      'startTimestamp',
      'activityColumn: weight, lifecycle: { column: part, start: ["1"], end: ["2"] }, startTimestamp',
    ) +
      '  - { activityName: Pack, dataObject: lines, key: product, entityType: product, startTimestamp: at, correlatesWith: [{ entityType: order, key: order_id }], lifecycle: { column: part, start: ["1"], end: ["2"] } }\n',
  ),
  'expectations of rows': graphText(
    orders.replace(
      'startTimestamp',
      'expect: { unique: [amount, [at, customer], [id, part]], notNull: [state, customer, kind, paid], values: { state: [New, Paid], amount: [1.5, 3, 0.1], paid: [true], id: [1, 2], customer: ["\'"] }, rows: "7.." }, startTimestamp',
    ) +
      customers.replace(
        'startTimestamp',
        'expect: { unique: ["Name"], values: { since: [2024-01-01] }, rows: ..3 }, startTimestamp',
      ),
  ),
  paths: graphText(
    customers + orders + lines,
    places +
      '  - { name: all again, source: Win, target: Win, path: [buys, bought by], correlate: target }\n' +
      '  - { name: has, source: Order, target: Pick, correlate: none, mappings: [{ source: id, target: order_id }, { source: part, target: part }] }\n' +
      '  - { name: buys, source: Win, target: Pick, path: [places, has] }\n' +
      '  - { name: bought by, source: Pick, target: Win, path: [has, places], correlate: source }\n' +
      '  - { name: before, source: Order, target: Order, correlate: none, mappings: [{ source: id, operator: "<", target: id }] }\n' +
      '  - { name: behind, source: Order, target: Order, correlate: none, path: [{ relationship: before, reverse: true }] }\n' +
      '  - { name: long before, source: Order, target: Order, path: [{ relationship: before, reverse: false }, { relationship: behind, reverse: true }] }\n',
  ),
};

/** The same for row correlations, elements without own entities and master data. */
export const linkedGraphs: Readonly<Record<string, string>> = {
  'rows that name one entity': graphText(
    customers +
      orders.replace(
        'startTimestamp',
        'correlatesWith: [{ entityType: customers, key: customer, qualifier: for }], startTimestamp',
      ),
  ),
  'rows that name entities of their own type': graphText(
    orders.replace(
      'startTimestamp',
      'key: [id, part], entityType: order, correlatesWith: [{ entityType: order, key: [part, id] }], startTimestamp',
    ),
  ),
  'rows that name entities in arrays and between separators': graphText(
    customers.replace(
      'startTimestamp',
      'correlatesWith: [{ entityType: letter, key: id, separator: " " }], startTimestamp',
    ) +
      orders.replace(
        'startTimestamp',
        'correlatesWith: [{ entityType: tag, key: tags, each: list }, { entityType: tag, key: state, qualifier: state }], startTimestamp',
      ),
  ),
  'events without an entity of their own': graphText(
    orders.replace(
      'startTimestamp',
      'ownEntity: false, correlatesWith: [{ entityType: customers, key: customer }, { entityType: kind, key: kind }], startTimestamp',
    ) +
      lines.replace(
        'startTimestamp',
        'ownEntity: false, correlatesWith: [{ entityType: order, key: [order_id, part] }, { entityType: order, key: [order_id, part], qualifier: again }, { entityType: quantity, key: qty }, { entityType: quantity, key: weight }], startTimestamp',
      ) +
      customers,
  ),
  'row correlations beside relations of the same name': graphText(
    customers +
      orders.replace(
        'startTimestamp',
        'correlatesWith: [{ entityType: customers, key: customer, qualifier: places }], startTimestamp',
      ),
    places,
  ),
  'entities without events': `${graphText(lines, '')}entities:
  - { entityType: customer, dataObject: customers, properties: all }
  - { name: Known products, entityType: product, dataObject: product_customer, key: product, properties: [customer] }
  - { name: Orders, dataObject: orders, where: orders.id < 4, properties: [amount, changed] }
relationships:
  - { name: likes, source: customer, target: Pick, crossTable: { dataObject: product_customer, sourceMappings: [{ source: id, cross: customer }], targetMappings: [{ cross: product, target: product }] } }
  - { name: bought, source: Orders, target: customer, mappings: [{ source: customer, target: id }] }
`,
  'entities with values over time': `${graphText(customers, '')}entities:
  - { entityType: customers, name: Buyers, dataObject: orders, key: customer, validFrom: changed, properties: [amount, state, tags, paid, at] }
  - { entityType: order, dataObject: orders, key: id, validFrom: at, properties: [kind, { column: part, name: value_time }] }
  - { entityType: since, dataObject: customers, validFrom: since, properties: all }
`,
};

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** Generates graphs over the shop: elements with keys, times, orders and properties, and their relationships. */
export const randomGraph = fc
  .record({
    key: pick('', 'key: id, ', 'key: [part, id], ', 'key: customer, entityType: customers, ', 'key: kind, '),
    start: pick(
      'at',
      'changed',
      `{ expression: "orders.at + interval '1 day' * part" }`,
      '{ expression: "changed::date" }',
    ),
    change: pick('', 'changeTimestamp: changed, ', 'changeTimestamp: at, '),
    sequence: pick(
      '',
      'sequence: seq, ',
      'sequence: kind, ',
      'sequence: paid, ',
      'sequence: at, ',
      'sequence: amount, ',
    ),
    activity: pick('', 'activityColumn: state, ', 'activityColumn: kind, '),
    properties: pick(
      'all',
      '[amount]',
      '[paid, tags, seq]',
      '[{ column: amount, name: id }, { column: at, name: Amount }, kind]',
    ),
    lineKey: pick('product', '[order_id, part]', 'qty', 'weight'),
    withLines: fc.boolean(),
    correlate: pick('both', 'source', 'target', 'none'),
    operator: pick('=', '!=', '<', '>=', 'like'),
    second: fc.boolean(),
    path: pick('', 'buys', 'bought by', 'both'),
    linked: pick(
      '',
      'correlatesWith: [{ entityType: customers, key: customer }], ',
      'correlatesWith: [{ entityType: tag, key: tags, each: list, qualifier: places }, { entityType: customers, key: customer, qualifier: places }], ',
      'ownEntity: false, correlatesWith: [{ entityType: customers, key: customer, separator: ä }, { entityType: kind, key: [kind, state] }], ',
    ),
    masterData: fc.boolean(),
  })
  .map((choice) => {
    const order = `  - { activityName: Order, dataObject: orders, ${choice.key}${choice.linked}startTimestamp: ${choice.start}, ${choice.change}${choice.sequence}${choice.activity}properties: ${choice.properties} }\n`;
    const line = `  - { activityName: Pick, dataObject: lines, key: ${choice.lineKey}, entityType: product, startTimestamp: at, sequence: qty, properties: all }\n`;
    const first = `  - { name: places, source: Win, target: Order, correlate: ${choice.correlate}, mappings: [{ source: id, operator: "${choice.operator}", target: customer }] }\n`;
    const has =
      '  - { name: has, source: Order, target: Pick, mappings: [{ source: id, target: order_id }, { source: part, target: part }] }\n';
    // If orders and customers are of one type, a path must state the direction.
    const buys = `  - { name: buys, source: Win, target: Pick, correlate: ${choice.correlate}, path: [{ relationship: places, reverse: false }, has] }\n`;
    const boughtBy =
      '  - { name: bought by, source: Pick, target: Win, path: [has, { relationship: places, reverse: true }] }\n';
    const paths =
      (['buys', 'both'].includes(choice.path) ? buys : '') +
      (['bought by', 'both'].includes(choice.path) ? boughtBy : '');
    // Nothing can be related to events without an entity of their own.
    const isRelated = !choice.linked.startsWith('ownEntity');
    const graph = graphText(
      customers + order + (choice.withLines ? line : ''),
      // A path may precede the relationships that it follows.
      !isRelated ? '' : choice.withLines && choice.second ? paths + first + has : first,
    );
    const masterData =
      'entities:\n  - { name: Links, entityType: product, dataObject: product_customer, key: product, properties: all }\n' +
      '  - { name: Versions, entityType: version, dataObject: orders, key: id, validFrom: changed, properties: [amount, tags] }\n';
    // Keys of one type have the same number of columns.
    return choice.masterData && choice.lineKey !== '[order_id, part]' ? `${graph}${masterData}` : graph;
  });
