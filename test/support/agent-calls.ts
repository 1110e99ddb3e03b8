import { agentShop, hashOf, rename } from './agent-shop.ts';

/** Arguments of every tool that is a command, and those of the command line that mean the same. */
export const agentCalls: Readonly<Record<string, readonly [given: object, args: readonly string[], input?: string]>> = {
  list_graphs: [{}, ['status', '.']],
  validate: [{ file: 'shop.entity.yaml' }, ['validate', 'shop.entity.yaml']],
  describe_graph: [{ file: 'shop.entity.yaml' }, ['describe', 'shop.entity.yaml']],
  explain_format: [{ topic: 'elements[].key' }, ['explain', 'elements[].key']],
  complete_at: [
    { file: 'shop.entity.yaml', line: 6, character: 42, text: agentShop },
    ['complete', 'shop.entity.yaml', '--line', '6', '--character', '42', '--stdin'],
    agentShop,
  ],
  propose_edit: [
    { file: 'shop.entity.yaml', effect: true, edits: [rename] },
    ['propose', 'shop.entity.yaml', '--effect', '--edits'],
    JSON.stringify([rename]),
  ],
  apply_edit: [
    { file: 'shop.entity.yaml', text: agentShop, baseHash: hashOf(agentShop) },
    ['propose', 'shop.entity.yaml'],
    agentShop,
  ],
  query: [
    { file: 'shop.entity.yaml', sql: 'SELECT activity, count(*) AS n FROM event GROUP BY ALL ORDER BY n', limit: 1 },
    [
      ...['query', 'shop.entity.yaml', '--limit', '1'],
      ...['--sql', 'SELECT activity, count(*) AS n FROM event GROUP BY ALL ORDER BY n'],
    ],
  ],
  draft_graph: [{ source: 'files', objects: ['orders'] }, ['new', 'files', '--print', '--objects', 'orders']],
  lineage: [
    { file: 'shop.entity.yaml', column: 'orders.country' },
    ['lineage', 'shop.entity.yaml', '--column', 'orders.country'],
  ],
  show_query: [
    { file: 'shop.entity.yaml', element: 'Pay Order' },
    ['show-query', 'shop.entity.yaml', '--element', 'Pay Order'],
  ],
  run_tests: [{ file: 'shop.entity.test.yaml' }, ['test', 'shop.entity.test.yaml']],
  rules: [{ file: 'shop.entity.yaml', limit: 1 }, ['rules', 'shop.entity.yaml', '--limit', '1']],
  measures: [
    { file: 'shop.entity.yaml', measure: ['throughput'], by: ['country'], where: ['with:Pay Order', 'slower:1d'] },
    [
      ...['analyze', 'shop.entity.yaml', '--measure', 'throughput', '--by', 'country'],
      ...['--where', 'with:Pay Order', '--where', 'slower:1d'],
    ],
  ],
  variants: [{ file: 'shop.entity.yaml', limit: 1 }, ['variants', 'shop.entity.yaml', '--limit', '1']],
  map: [{ file: 'shop.entity.yaml' }, ['steps', 'shop.entity.yaml']],
  activities: [{ file: 'shop.entity.yaml' }, ['activities', 'shop.entity.yaml']],
  entities: [
    { file: 'shop.entity.yaml', sort: 'events', ascending: true, limit: 2 },
    ['entities', 'shop.entity.yaml', '--sort', 'events', '--ascending', '--limit', '2'],
  ],
  entity_timeline: [{ file: 'shop.entity.yaml', key: '7' }, ['timeline', 'shop.entity.yaml', '--key', '7']],
  workload: [{ file: 'shop.entity.yaml' }, ['workload', 'shop.entity.yaml']],
  batches: [{ file: 'shop.entity.yaml' }, ['batches', 'shop.entity.yaml']],
  why: [
    { file: 'shop.entity.yaml', outcome: ['slower:10d'], entityType: 'order' },
    ['why', 'shop.entity.yaml', '--outcome', 'slower:10d', '--entity-type', 'order'],
  ],
  findings: [{ file: 'shop.entity.yaml' }, ['findings', 'shop.entity.yaml']],
  changes: [{ file: 'shop.entity.yaml' }, ['diff', 'shop.entity.yaml']],
  effect: [
    { file: 'shop.entity.yaml', total: true, failOn: ['rules.broken > 0'] },
    ['effect', 'shop.entity.yaml', '--total', '--fail-on', 'rules.broken > 0'],
  ],
  describe_source: [{ source: 'files', sources: 'entity-sources.yaml' }, ['objects', 'files']],
  test_query: [
    { file: 'shop.entity.yaml', element: 'Pay Order', limit: 2 },
    ['test-query', 'shop.entity.yaml', '--element', 'Pay Order', '--limit', '2'],
  ],
  plan: [{ file: 'shop.entity.yaml' }, ['plan', 'shop.entity.yaml']],
  import: [{ file: 'shop.entity.yaml' }, ['import', 'shop.entity.yaml']],
};
