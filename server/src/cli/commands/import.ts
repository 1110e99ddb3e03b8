import { dayOfDate } from '../../model/calendar.ts';
import { type Command, UsageError, countOption } from '../command.ts';
import { importAndPrint } from '../import-and-print.ts';

export const importCommand: Command = {
  name: 'import',
  operands: 'FILE',
  summary: 'Build the event knowledge graph of an entity graph',
  arity: { min: 1, max: 1 },
  options: [
    { name: 'sample', value: 'N', help: 'Only the first N rows of each element; marked in the run' },
    { name: 'since', value: 'TIME', help: 'Only events at or after this ISO 8601 time; marked in the run' },
    { name: 'full', help: 'Read everything again, including rows that cannot have changed since the previous import' },
    {
      name: 'sources-down',
      value: 'WHAT',
      help: 'Where a data source cannot be reached: fail (default), or keep its rows of the previous import',
      choices: ['fail', 'keep'],
    },
    { name: 'accept-guards', help: 'Publish also if a guard of severity error is broken; noted in the run' },
    { name: 'steps', help: 'Print rows and time of each step of the plan too' },
    { name: 'format', value: 'FORMAT', help: 'How to print progress and summary', choices: ['text', 'json'] },
  ],
  examples: [
    'entity-graph import samples/incidents/incidents.entity.yaml',
    'entity-graph import shop.entity.yaml --format json',
    'entity-graph import shop.entity.yaml --sources-down keep',
  ],
  async run(invocation) {
    const { options } = invocation;
    const sample = countOption(invocation, 'sample');
    const since = readTime(options['since']);
    const usesKeptRows = options['sources-down'] === 'keep';
    if (usesKeptRows && (sample !== undefined || since !== undefined)) {
      throw new UsageError('--sources-down keep imports the whole graph: leave out --sample and --since.');
    }
    return importAndPrint(invocation, {
      kind: 'build',
      ...(sample === undefined ? {} : { sample }),
      ...(since === undefined ? {} : { since }),
      isFull: options['full'] === 'true' ? true : undefined,
      usesKeptRows,
      acceptsGuards: options['accept-guards'] === 'true' ? true : undefined,
    });
  },
};

function readTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // `Date` moves 30 February to March.
  if (dayOfDate(text.slice(0, 10)) === undefined || Number.isNaN(Date.parse(text))) {
    throw new UsageError(`--since takes an ISO 8601 time such as 2026-01-31 or 2026-01-31T08:00:00Z, not "${text}".`);
  }
  return new Date(text).toISOString();
}
