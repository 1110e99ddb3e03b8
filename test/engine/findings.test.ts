import assert from 'node:assert/strict';
import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import { cleanLog, cleanShapes } from '../support/generated-log.ts';
import { injections } from '../support/inject-oddities.ts';
import { findingsOf, injected, injectedExamples, score } from '../support/score-findings.ts';

/** Kinds that are not about the column of times. */
const columns: Readonly<Partial<Record<FindingKind, string | null>>> = {
  'duplicate-events': 'case',
  'near-equal-labels': 'activity',
  'dominant-entity': null,
  'number-gaps': null,
  'late-arrivals': 'recorded',
  'exploded-keys': 'case',
  'almost-key': 'doc',
  'changing-attribute': 'user',
  'time-gap': null,
  'truncated-cases': null,
};
/** Of these, no row is damaged, or the examples are both events of a step, or one of two that agree. */
const withoutRows: readonly FindingKind[] = ['time-gap', 'number-gaps', 'truncated-cases', 'same-time-order', 'almost-key'];

// Each kind with one log; all logs, seeds and shares are in bench/findings.ts.
describe('findings', () => {
  for (const shape of cleanShapes.slice(2, 5)) {
    it(`have no warning in a clean log: ${shape.name}`, async () => {
      const findings = await findingsOf(cleanLog(shape, 1), shape);
      const warnings = findings.filter(({ severity }) => severity === 'warning');
      assert.deepEqual(
        warnings.map(({ message }) => message),
        [],
      );
    });
  }

  for (const kind of Object.keys(injections) as FindingKind[]) {
    it(`tell of ${kind} injected into one row of twenty, and warn of nothing else`, async () => {
      const log = await injected(kind, 0.05, 1);
      const { right, wrong } = score(kind, log);
      const told = log.findings.map(({ severity, message }) => `${severity}: ${message}`).join('\n');
      assert.deepEqual([right.length, wrong.length], [1, 0], told);
      const [finding] = right;
      assert.ok(finding);
      const column = kind in columns ? columns[kind] : 'at';
      assert.equal(finding.column, kind === 'dominant-entity' && log.shape.isOneTable ? 'case' : column);
      assert.ok(finding.explains !== null && finding.explains >= 0 && finding.explains < 0.3, told);
      if (withoutRows.includes(kind)) return;
      assert.ok(injectedExamples(finding, log.rows) >= finding.examples.length * 0.9, JSON.stringify(finding.examples));
    });
  }
});
