import type { CardView, ElementView, GraphView, RelationshipView } from '../../protocol/graph-view.ts';
import type { TextRange } from '../../protocol/query-results.ts';

/** The range of a whole line, zero-based. */
export function lineRange(line: number): TextRange {
  return { start: { line, character: 2 }, end: { line, character: 20 } };
}

/** An element by a few values; its id comes from its name, its range from `line`. */
export function element(name: string, line: number, rest: Partial<ElementView> = {}): ElementView {
  const { dataObject, startTimestamp, changeTimestamp, properties, allProperties } = rest;
  const values = {
    activityName: name,
    ...(dataObject === undefined ? {} : { dataObject }),
    ...(startTimestamp === undefined ? {} : { startTimestamp }),
    ...(changeTimestamp === undefined ? {} : { changeTimestamp }),
    ...(allProperties ? { properties: 'all' as const } : properties ? { properties } : {}),
  };
  return {
    id: name,
    activityName: name,
    properties: [],
    allProperties: false,
    values,
    range: lineRange(line),
    extent: lineRange(line),
    ...rest,
  };
}

/** A relationship by a few values; its id is its name. */
export function relationship(
  name: string,
  line: number,
  rest: Partial<RelationshipView> & Pick<RelationshipView, 'label'>,
): RelationshipView {
  return { id: name, name, values: { name, mappings: [] }, range: lineRange(line), extent: lineRange(line), ...rest };
}

export function graph(
  elements: readonly CardView[],
  relationships: readonly RelationshipView[] = [],
  rest: Partial<GraphView> = {},
): GraphView {
  const dataObjects = [...new Set(elements.flatMap(({ dataObject }) => dataObject ?? []))].map((name) => ({ name }));
  const base = { uri: 'file:///orders.entity.yaml', version: 1, name: 'Northwind orders' };
  const importSettings = { engine: 'embedded', range: lineRange(0) } as const;
  return { ...base, dataObjects, elements, relationships, importSettings, ...rest };
}

/** Every state of a canvas: elements, a cross table, a loop, two lines between one pair and a missing end. */
export const orders: GraphView = graph(
  [
    element('Win Customer', 4, {
      dataObject: 'customers',
      startTimestamp: 'first_order.order_date',
      properties: ['company_name', 'city', 'country'],
    }),
    element('Place Order', 10, {
      dataObject: 'orders',
      startTimestamp: 'order_date',
      changeTimestamp: 'shipped_date',
      properties: ['order_id', 'required_date', 'freight', 'ship_city', 'ship_country', 'ship_region'],
      processContext: 'The order is taken by an employee; the change event is its shipping.',
    }),
    element('Add Order Line', 20, {
      dataObject: 'order_details',
      startTimestamp: 'orders.order_date',
      allProperties: true,
    }),
    element('List Product', 30, {
      dataObject: 'products',
      properties: ['product_name', 'unit_price'],
      unconfigured: {
        message: 'Element "List Product" is not configured: Start Timestamp is missing. Set startTimestamp.',
        problem: 'Start Timestamp is missing.',
        remedy: 'Choose the column that marks when a record enters this activity.',
      },
    }),
    element('Hire Employee', 40, {
      dataObject: 'employees',
      startTimestamp: 'hire_date',
      properties: ['last_name', 'first_name', 'title'],
    }),
    element('Open Territory', 50, { dataObject: 'territories', startTimestamp: 'opened_at' }),
  ],
  [
    relationship('orders', 60, { source: 'Win Customer', target: 'Place Order', label: 'customer_id = customer_id' }),
    relationship('contains', 64, { source: 'Place Order', target: 'Add Order Line', label: 'order_id = order_id' }),
    relationship('sells', 68, { source: 'List Product', target: 'Add Order Line', label: 'product_id = product_id' }),
    relationship('takes', 72, { source: 'Hire Employee', target: 'Place Order', label: 'employee_id = employee_id' }),
    relationship('approves', 76, {
      source: 'Hire Employee',
      target: 'Place Order',
      label: '',
      draft: {
        message:
          'Relationship "approves" is a draft: nothing joins its ends. Add a mapping, an expression or a cross table.',
        problem: 'Nothing joins its ends.',
        remedy: 'Add a mapping, an expression or a cross table.',
      },
    }),
    relationship('reports to', 80, {
      source: 'Hire Employee',
      target: 'Hire Employee',
      label: 'reports_to = employee_id',
    }),
    relationship('works in', 84, {
      source: 'Hire Employee',
      target: 'Open Territory',
      label: 'employee_id, territory_id',
      crossTable: 'employee_territories',
    }),
    relationship('ships with', 90, {
      source: 'Place Order',
      label: '',
      draft: {
        message: 'Relationship "ships with" is a draft: it has no target. Name the activity at each end.',
        problem: 'It has no target.',
        remedy: 'Name the activity at each end.',
      },
    }),
  ],
  { dataSource: 'northwind' },
);

/** A chain with side branches, of any size. */
export function largeGraph(size: number): GraphView {
  const elements = Array.from({ length: size }, (_, index) =>
    element(`Do Step ${index}`, index, {
      dataObject: `table_${index}`,
      startTimestamp: 'started_at',
      properties: ['a', 'b'],
    }),
  );
  const links = elements.flatMap((one, index) =>
    [1, ...(index % 2 === 0 ? [7] : [])].flatMap((step) => {
      const other = elements[index + step];
      if (!other) return [];
      return [relationship(`link ${index}+${step}`, index, { source: one.id, target: other.id, label: 'a = b' })];
    }),
  );
  return graph(elements, links);
}

const purchaseSteps = [
  ...['Create Requisition', 'Approve Requisition', 'Create Order', 'Change Order', 'Send Order', 'Confirm Order'],
  ...['Receive Goods', 'Inspect Goods', 'Post Receipt', 'Receive Invoice', 'Check Invoice', 'Block Invoice'],
  ...['Release Invoice', 'Pay Invoice', 'Clear Item', 'Open Dispute', 'Close Dispute', 'Return Goods'],
  ...['Credit Note', 'Archive File'],
];

/** A tree of the steps of purchases, in whose every fourth step two branches begin. */
export function purchase(size: number): GraphView {
  const nameOf = (index: number): string =>
    `${purchaseSteps[index % 20] ?? ''}${index < 20 ? '' : ` ${1 + Math.floor(index / 20)}`}`;
  const elements = Array.from({ length: size }, (_, index) =>
    element(nameOf(index), index, {
      dataObject: `t${index}_${nameOf(index).toLowerCase().replaceAll(' ', '_')}`,
      startTimestamp: 'created_at',
      properties: ['amount', 'plant', 'clerk'],
    }),
  );
  const links = elements.slice(1).map((target, before) => {
    const source = nameOf((before + 1) % 4 === 0 ? before - 3 : before);
    return relationship(`follows ${before + 1}`, before, { source, target: target.id, label: 'id = parent_id' });
  });
  return graph(elements, links);
}
