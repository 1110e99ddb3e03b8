import assert from 'node:assert/strict';
import type { ImportOutcome } from '../../../protocol/import-progress.ts';
import { type ImportSummary, importSummary } from '../../../server/src/cli/import-summary.ts';

const error = { code: 'internal-error', message: 'Why.' } as const;
const totals = { events: 0, entities: 0, correlations: 0, relations: 0, directlyFollows: 0 };
const noGraph = { type: 'summary', elements: [], entities: [], relationships: [], totals, warnings: [] } as const;
const stopped = { failedStep: 'data pull', durationMs: 7, slice: { sample: 3 }, error } as const;

/** Each outcome, and its summary on the command line. */
const cases: readonly (readonly [outcome: ImportOutcome, summary: ImportSummary])[] = [
  [
    { status: 'failed', ...stopped },
    { ...noGraph, status: 'failed', ...stopped },
  ],
  [
    { status: 'cancelled', ...stopped },
    { ...noGraph, status: 'cancelled', ...stopped },
  ],
  [
    { status: 'refused', error },
    { ...noGraph, status: 'failed', durationMs: 0, error },
  ],
  [
    { status: 'lost', error },
    { ...noGraph, status: 'failed', durationMs: 0, error },
  ],
  [
    { status: 'cancelled before it began', error },
    { ...noGraph, status: 'cancelled', durationMs: 0, error },
  ],
];

describe('import summary', () => {
  for (const [outcome, summary] of cases) {
    it(`has all counts with value 0 for an import that is ${outcome.status}`, () => {
      assert.deepEqual(importSummary(outcome), summary);
    });
  }

  it('contains everything known about a graph', () => {
    const imported: ImportOutcome = {
      status: 'imported',
      ...{
        store: '/graphs/a.duckdb',
        elements: [],
        entities: [],
        relationships: [{ name: 'of', pairs: 2 }],
        warnings: ['Odd.'],
      },
      ...{ totals: { ...totals, events: 4 }, steps: [{ name: 'event', durationMs: 3, rows: 4 }], durationMs: 12 },
    };
    assert.deepEqual(importSummary(imported), { type: 'summary', ...imported });
  });
});
