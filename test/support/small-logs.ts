/** Small event logs as other tools write them, and the parts of which bad ones are made. */

interface JsonLog {
  readonly objectTypes: readonly object[];
  readonly eventTypes: readonly object[];
  readonly objects: readonly object[];
  readonly events: readonly object[];
}

const typed = (name: string, attributes: Readonly<Record<string, string>> = {}): object => ({
  name,
  attributes: Object.entries(attributes).map(([attribute, type]) => ({ name: attribute, type })),
});
const related = (objects: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(objects).map(([objectId, qualifier]) => ({ objectId, qualifier }));

/** Names that need care in SQL and in entity graphs, an event type called like an object type, values over time, lists of objects. */
export const foreignLog: JsonLog = {
  objectTypes: [
    typed('order', { 'sum.net': 'float', Price: 'integer', price: 'string', note: 'string' }),
    typed('item', { weight: 'float' }),
    typed('Pay'),
  ],
  eventTypes: [
    typed('Place.Order', { 'via.web': 'boolean', due: 'time', event_id: 'string' }),
    typed('Pay'),
    typed('object'),
  ],
  objects: [
    {
      ...{ id: 'o1', type: 'order' },
      attributes: [
        { name: 'sum.net', time: '1970-01-01T00:00:00Z', value: '10.50' },
        { name: 'sum.net', time: '2024-01-02T00:00:00Z', value: '12.00' },
        { name: 'Price', time: '1970-01-01T00:00:00Z', value: '9007199254740993' },
        { name: 'price', time: '1970-01-01T00:00:00Z', value: "it's" },
        { name: 'note', time: '2024-01-03T00:00:00Z', value: 'late' },
      ],
      relationships: related({ i1: 'contains', i2: 'contains', p1: 'contains' }),
    },
    {
      id: 'i1',
      type: 'item',
      attributes: [{ name: 'weight', time: '2024-01-01T00:00:00Z', value: '0.1' }],
      relationships: [],
    },
    { id: 'i2', type: 'item', attributes: [], relationships: [] },
    { id: 'p1', type: 'Pay', attributes: [], relationships: [] },
    { id: 'never used', type: 'item', attributes: [], relationships: [] },
  ],
  events: [
    {
      ...{ id: 'second', type: 'Pay', time: '2024-01-02T00:00:00.123456Z', attributes: [] },
      relationships: related({ p1: 'made', o1: '' }),
    },
    {
      ...{ id: 'first', type: 'Place.Order', time: '2024-01-01T10:00:00+02:00' },
      attributes: [
        { name: 'via.web', value: 'true' },
        { name: 'due', value: '2024-02-01T00:00:00Z' },
        { name: 'event_id', value: 'x' },
      ],
      relationships: related({ o1: 'places', i1: 'item', i2: 'item' }),
    },
    {
      ...{ id: 'tied b', type: 'object', time: '2024-01-05T00:00:00Z', attributes: [] },
      relationships: related({ i2: 'seen' }),
    },
    {
      ...{ id: 'tied a', type: 'object', time: '2024-01-05T00:00:00Z', attributes: [] },
      relationships: related({ i1: 'seen' }),
    },
  ],
};

/** The log with other events, or without some of its parts. */
export function changedLog(change: (log: { -readonly [Part in keyof JsonLog]?: unknown }) => void): string {
  const log = structuredClone(foreignLog) as Parameters<typeof change>[0];
  change(log);
  return JSON.stringify(log);
}

export const foreignXes = `<?xml version="1.0" encoding="UTF-8"?>
<!-- by hand -->
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <global scope="event"><string key="concept:name" value="?"/></global>
  <classifier name="Activity" keys="concept:name"/>
  <string key="concept:name" value="claim"/>
  <trace>
    <string key="concept:name" value="c &amp; 1"/>
    <float key="amount" value="10.5"/>
    <event>
      <string key="concept:name" value="Report"/>
      <date key="time:timestamp" value="2024-01-01T10:00:00.000+02:00"/>
      <string key="org:resource" value="Ada"><string key="role" value="clerk"/></string>
      <list key="parts"><values><string key="part" value="door"/><int key="count" value="2"/></values></list>
      <int key="cost" value="7"/>
    </event>
    <event>
      <string key="concept:name" value="Assess"/>
      <date key="time:timestamp" value="2024-01-01T08:00:00Z"/>
      <string key="cost" value="much"/>
    </event>
    <event><string key="concept:name" value="Think"/></event>
  </trace>
  <trace><string key="concept:name" value="c2"/></trace>
</log>
`;
