import { csvSources, graphText } from './import-text.ts';

/** Orders of customers, which are delivered in parts, and measures with names of events and of related entities. */
export const namesGraph = {
  files: {
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': `${graphText(
      `  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount] }
  - { activityName: Deliver, dataObject: deliveries, key: id, entityType: delivery, startTimestamp: at, properties: [weight, { column: packages, name: Packed Boxes }] }
`,
      `  - { name: delivers, source: Deliver, target: Place Order, mappings: [{ source: order, target: id }] }
  - { name: ordered by, source: Place Order, target: customer, mappings: [{ source: customer, target: id }], correlate: none }
`,
    )}entities:
  - { entityType: customer, dataObject: customers, key: id, properties: [country, rank] }
`,
    'orders.csv': `id,placed,customer,amount
1,2024-01-01 00:00:00,a,10
2,2024-01-02 00:00:00,b,20
3,2024-01-03 00:00:00,,30
`,
    'deliveries.csv': `id,order,at,weight,packages
D1,1,2024-01-05 00:00:00,2,1
D2,1,2024-01-07 00:00:00,3,4
D3,2,2024-01-04 00:00:00,,5
`,
    'customers.csv': 'id,country,rank\na,DE,7\nb,FR,8\n',
  },
  /** With count, missing and sum of the values. */
  measures: [
    measure('Events', 'entityType: order', 'entity.events', [3, 0, 6]),
    measure('Day of the first event', 'entityType: order', 'EXTRACT(day FROM entity.first)', [3, 0, 6]),
    measure('Day of the last event', 'entityType: order', 'EXTRACT(day FROM entity.last)', [3, 0, 14]),
    measure('Rank of the customer', 'entityType: order', 'customer.rank', [2, 1, 15]),
    measure('Amount by rank', 'entityType: order', 'amount * customer.rank', [2, 1, 230]),
    measure('Deliveries', 'entityType: order', 'count(delivery.key)', [3, 0, 3]),
    measure('Weights', 'entityType: order', 'count(delivery.weight)', [3, 0, 2]),
    measure('Whole weight', 'entityType: order', 'sum(delivery.weight * delivery."Packed Boxes") + amount', [1, 2, 24]),
    measure('Day of the last delivery', 'entityType: order', 'EXTRACT(day FROM max(delivery.last))', [2, 1, 11]),
    // A surplus is undecided: order 1 has two deliveries.
    measure('Boxes of one delivery', 'entityType: order', 'delivery."Packed Boxes"', [1, 2, 5]),
    measure('Amount of the order of a delivery', 'entityType: delivery', '"order".amount', [3, 0, 40]),
    measure('Day of the event', 'activity: Deliver', 'EXTRACT(day FROM event.time)', [3, 0, 16]),
    measure('Amount of the order of an event', 'activity: Deliver', 'order.amount - entity.events', [3, 0, 34]),
    measure(
      'Deliveries by activity',
      'activity: Deliver',
      "CASE WHEN event.activity = 'Deliver' THEN 1 END",
      [3, 0, 3],
    ),
  ],
} as const;

function measure(
  name: string,
  each: string,
  sql: string,
  numbers: readonly [count: number, missing: number, sum: number],
) {
  return { name, numbers, yaml: `{ name: ${name}, each: { ${each} }, sql: ${JSON.stringify(sql)} }` };
}
