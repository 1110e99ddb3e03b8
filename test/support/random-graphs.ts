/** Files of a project whose graph is `graph.entity.yaml`. */
type ProjectFiles = Readonly<Record<string, string>>;

/**
 * A project with random rows, always the same for a seed: orders without key, start or change, changes or ends before starts,
 * equal times and sequences, quoted texts; and by seed an activity column, a sequence, a time zone, entities that rows
 * name, customers, relationships in every mode of `correlate`, one of an entity type with itself, or a second element of
 * the same rows.
 */
export function randomGraph(seed: number): ProjectFiles {
  const random = numbersFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const unless = (oneIn: number, value: () => string): string => (below(oneIn) === 0 ? '' : value());
  const rows = [50, 3000, 400, 1500][seed % 4] ?? 0;
  const customers = Math.max(2, Math.floor(rows / 20));
  const span = [100, 1e6, 20, 3e7][below(4)] ?? 0;
  const notes = ['', 'plain', '"with, comma"', 'ümläut', '"""q"""'];
  const orders = Array.from({ length: rows }, () => {
    const opened = below(span);
    const key = unless(50, () => `K${below(Math.floor(rows / 5))}`);
    const updated = unless(5, () => timeAt(opened + below(3) * below(1000) - (below(40) === 0 ? 500 : 0)));
    return [
      ...[key, `C${below(customers + 2)}`, unless(60, () => timeAt(opened)), updated],
      ...[unless(9, () => String(below(4))), unless(15, () => `step ${below(6)}`)],
      ...[unless(8, () => (random() * 1000).toFixed(2)), unless(7, () => String(below(2) === 0)), notes[below(5)]],
    ].join(',');
  });
  const known = Array.from({ length: customers }, (_, index) =>
    [`C${index}`, timeAt(below(span)), unless(3, () => `C${below(customers)}`)].join(','),
  );
  const zone = seed % 3 === 1 ? ', timeZone: Europe/Berlin' : '';
  return {
    'entity-sources.yaml': `version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv"${zone} }\n`,
    'orders.csv': `id,customer,opened,updated,seq,step,amount,flag,note\n${orders.join('\n')}\n`,
    'customers.csv': `cid,since,parent\n${known.join('\n')}\n`,
    'graph.entity.yaml': graphText(seed),
  };
}

function graphText(seed: number): string {
  const order = [
    'activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: opened',
    seed % 5 === 4 ? 'endTimestamp: updated' : 'changeTimestamp: updated',
    ...(seed % 3 === 0 ? ['sequence: seq'] : []),
    ...(seed % 4 === 1 || seed % 4 === 2 ? ['activityColumn: step'] : []),
    ...(seed % 6 === 5 ? ['correlatesWith: [{ entityType: payer, key: customer }]'] : []),
    'properties: [customer, amount, flag, note, updated]',
  ];
  const again =
    seed % 8 === 2
      ? '  - { activityName: Again, dataObject: orders, key: id, entityType: order, startTimestamp: updated, properties: [amount] }\n'
      : '';
  const correlate = ['both', 'source', 'target', 'none'][(seed / 2) % 4] ?? '';
  const customers =
    seed % 2 === 0
      ? `  - { activityName: Win, dataObject: customers, key: cid, entityType: customer, startTimestamp: since, properties: [parent] }
relationships:
  - { name: of, source: Order, target: Win, mappings: [{ source: customer, target: cid }], correlate: ${correlate} }
  - { name: under, source: Win, target: Win, mappings: [{ source: parent, target: cid }], correlate: both }
`
      : '';
  return `version: 1\nname: Random\ndataSource: files\nelements:\n  - { ${order.join(', ')} }\n${again}${customers}`;
}

/** Seconds after the last hour before daylight saving time begins in Berlin. */
function timeAt(seconds: number): string {
  return new Date(Date.UTC(2024, 2, 31, 1) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Numbers from 0 up to 1, the same for the same seed (Lehmer's generator). */
function numbersFrom(seed: number): () => number {
  let state = (seed + 1) * 7919;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
