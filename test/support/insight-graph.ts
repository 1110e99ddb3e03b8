import { csvSources, graphText } from './import-text.ts';

/** A graph with the names that `docs/insight.md` uses. @param more fields of every activity of orders, which may have an end */
export function insightFiles(more = ''): Readonly<Record<string, string>> {
  const ofOrders = ['Place Order', 'Change Order', 'Ship Order', 'Pay', 'Close Order'].map(
    (name) =>
      `  - { activityName: ${name}, dataObject: ${name.split(' ')[0]?.toLowerCase()}, key: id, entityType: order, startTimestamp: at${more}, properties: [country, amount, user${name === 'Place Order' ? ', created_by, client' : ''}] }\n`,
  );
  return {
    'entity-sources.yaml': csvSources(),
    'shop.entity.yaml': `${graphText(
      `${ofOrders.join('')}  - { activityName: Approve Order, dataObject: approve, key: id, entityType: order, startTimestamp: at${more}, properties: [user, { column: user, name: approved_by }] }
  - { activityName: Deliver, dataObject: deliveries, key: id, entityType: delivery, startTimestamp: sent, properties: [weight] }
  - { activityName: Receive Goods, dataObject: deliveries, key: id, entityType: delivery, startTimestamp: received }
  - { activityName: Send Invoice, dataObject: invoices, key: id, entityType: invoice, startTimestamp: sent, properties: [order_key, delivery_key] }
  - { activityName: Receive Payment, dataObject: invoices, key: id, entityType: invoice, startTimestamp: paid }
`,
      `  - { name: delivers, source: Deliver, target: Place Order, mappings: [{ source: order_key, target: id }], correlate: source }
  - { name: ordered by, source: Place Order, target: customer, mappings: [{ source: client, target: id }], correlate: none }
  - { name: bills, source: Send Invoice, target: Deliver, mappings: [{ source: delivery_key, target: id }], correlate: none }
  - { name: invoices, source: Send Invoice, target: Place Order, mappings: [{ source: order_key, target: id }], correlate: none }
`,
    )}entities:
  - { entityType: customer, dataObject: customers, key: id, properties: [region] }
rules:
  - name: Paid in time
    each: { entityType: order }
    expect: [{ activity: Pay, after: Place Order, within: 14d }]
measures:
  - name: Order to payment
    each: { entityType: order }
    sql: epoch(max(invoice.last) - entity.first) / 86400
`,
    'place.csv': ordersOf(
      [1, 1, 'ann'],
      [2, 2, 'bob'],
      [3, 3, 'ann'],
      [4, 3, 'ann'],
      [5, 3, 'ann'],
      [6, 3, 'ann'],
      [7, 3, 'ann'],
    ),
    'change.csv': ordersOf([1, 2, 'bob'], [1, 4, 'ann'], [3, 5, 'ann']),
    'approve.csv': ordersOf([1, 5, 'ann'], [2, 4, 'cid'], [3, 6, 'cid']),
    'ship.csv': ordersOf([1, 7, 'dan'], [2, 5, 'dan'], [3, 8, 'dan']),
    'pay.csv': ordersOf([1, 9, 'eve'], [2, 28, 'eve']),
    'close.csv': ordersOf([2, 29, 'bob']),
    'customers.csv': 'id,region\nc0,north\nc1,south\n',
    'deliveries.csv': `id,order_key,sent,received,weight
d1,1,2024-03-07 01:00:00,2024-03-08 00:00:00,3
d2,1,2024-03-08 01:00:00,2024-03-12 00:00:00,
d3,2,2024-03-05 01:00:00,2024-03-06 00:00:00,4
d4,3,2024-03-08 01:00:00,2024-03-14 00:00:00,5
`,
    'invoices.csv': `id,order_key,delivery_key,sent,paid
i1,1,d1,2024-03-09 00:00:00,2024-03-10 00:00:00
i2,1,d2,2024-03-13 00:00:00,2024-03-20 00:00:00
i3,2,d3,2024-03-07 00:00:00,2024-03-09 00:00:00
i4,3,d4,2024-03-15 00:00:00,2024-03-27 00:00:00
`,
  };
}

function ordersOf(...rows: readonly (readonly [id: number, day: number, user: string])[]): string {
  const lines = rows.map(([id, day, user]) => {
    const date = `2024-03-${String(day).padStart(2, '0')}`;
    return `${id},${date} 00:00:0${id},${date} 0${id}:00:00,DE,${100 + id},${user},${user},c${id % 2}`;
  });
  return `id,at,done,country,amount,user,created_by,client\n${lines.join('\n')}\n`;
}
