import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Finding } from '../../protocol/findings.ts';
import type { FindingKind } from '../../protocol/shapes/finding-shapes.ts';
import { findFindings } from '../../server/src/findings/find-findings.ts';
import { acceptFindings } from '../../server/src/model/accept-findings.ts';
import { acceptedFindings } from '../../server/src/model/accepted-entry.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';
import { editGraph } from '../../server/src/model/edits/edit-graph.ts';
import type { EntityGraph } from '../../server/src/model/entity-graph.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { cleanLog, cleanShapes, logFiles } from '../support/generated-log.ts';
import { csvSources, graphText, withGraph } from '../support/import-text.ts';
import { injectedPlace, injections } from '../support/inject-oddities.ts';
import { type ScoredLog, findingsOf, injected, injectedExamples, score } from '../support/score-findings.ts';

/** Of these, no row is damaged, or the examples are both events of a step, or one of two that agree. */
const withoutRows: readonly FindingKind[] = [
  'time-gap',
  'number-gaps',
  'truncated-cases',
  'same-time-order',
  'almost-key',
];

/** Accepted in the file, it is that finding and no other, and the import stays as it was. */
function assertAccepted({ kind, element, column }: Finding, { rows, shape, findings }: ScoredLog): void {
  const text = logFiles(rows, shape)['graph.entity.yaml'] ?? '';
  const place = { element: element ?? undefined, column: column ?? undefined };
  const outcome = editGraph({ text }, { kind: 'acceptFinding', finding: kind, ...place, reason: 'It is so.' });
  assert.ok('edits' in outcome);
  const { graph } = parseEntityGraph(applyEdits(text, outcome.edits));
  const answer = acceptFindings(findings, acceptedFindings(graph.accepted));
  const isAccepted = (each: Finding): boolean =>
    each.kind === kind && (element ?? each.element) === each.element && (column ?? each.column) === each.column;
  assert.deepEqual(
    answer.findings.filter(({ accepted }) => accepted !== undefined).map(({ message }) => message),
    findings.filter(isAccepted).map(({ message }) => message),
  );
  assert.deepEqual(answer.stale, []);
  const imported = ({ elements, dataObjects }: EntityGraph) =>
    [elements, dataObjects].map((each) => inspect(each, { depth: 9 }));
  assert.deepEqual(imported(graph), imported(parseEntityGraph(text).graph));
}

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
      const { element, column } = injectedPlace(kind, log.shape);
      assert.deepEqual([finding.element, finding.column], [element, column]);
      const isWhole = log.shape.key !== undefined || kind === 'dates-beside-times';
      assert.ok(finding.explains !== null && finding.explains >= 0 && (isWhole || finding.explains < 0.3), told);
      assert.ok(finding.explainsVariants !== null && finding.explainsVariants <= 1, told);
      assert.equal(finding.explainsViolations, null);
      assertAccepted(finding, log);
      if (withoutRows.includes(kind)) return;
      assert.ok(injectedExamples(finding, log.rows) >= finding.examples.length * 0.9, JSON.stringify(finding.examples));
    });
  }

  const found = (files: Readonly<Record<string, string>>, kind: FindingKind) =>
    withGraph({ 'entity-sources.yaml': csvSources(), ...files }, async (project) => {
      await project.import();
      const findings = await project.read((store) => findFindings(store, {}));
      return findings
        .filter((finding) => finding.kind === kind)
        .map(({ severity, element, count, of, examples }) => ({ severity, element, count, of, examples }));
    });
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
  const at = (hours: number): string => new Date(Date.UTC(2024, 0, 1) + hours * 3_613_000).toISOString();

  it('tell of an activity that an order has several times because it has several deliveries', async () => {
    const [divergent, ...others] = await found(
      {
        'graph.entity.yaml': graphText(
          `  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Deliver, dataObject: deliveries, key: id, entityType: delivery, startTimestamp: at, correlatesWith: [{ entityType: order, key: order }] }
`,
        ),
        'orders.csv': `id,placed\nA,${at(0)}\nB,${at(1)}\n`,
        // Order A has two deliveries, and B one.
        'deliveries.csv': `id,order,at\n1,A,${at(2)}\n2,A,${at(3)}\n3,B,${at(4)}\n`,
      },
      'diverging-events',
    );
    assert.deepEqual(others, []);
    const { examples = [], ...rest } = divergent ?? {};
    assert.deepEqual(rest, { severity: 'info', element: 'Deliver', count: 1, of: 2 });
    assert.deepEqual(
      examples.map(({ entity }) => entity?.key),
      ['1', '2'],
    );
  });

  it('tell of a key that is none among a few', async () => {
    const events = numbers(30).flatMap((order) =>
      ['Place', 'Ship'].map((step, place) => `O${order},${at(order * 5 + place * 2.3)},${step}`),
    );
    const odd = numbers(40).map((row) => `unknown,${at(row * 3.7 + 0.4)},${row % 2 === 0 ? 'Place' : 'Ship'}`);
    const graph = graphText(
      '  - { activityName: Log, dataObject: log, key: case, entityType: case, startTimestamp: at, activityColumn: step }\n',
    );
    const log = (rows: readonly string[]): string => ['case,at,step', ...rows].join('\n');
    const [missing] = await found(
      { 'log.csv': log([...events, ...odd]), 'graph.entity.yaml': graph },
      'dominant-entity',
    );
    assert.deepEqual([missing?.count, missing?.of], [40, 100]);
    assert.deepEqual(await found({ 'log.csv': log(events), 'graph.entity.yaml': graph }, 'dominant-entity'), []);
  });

  it('tell of a key that identifies the row instead of the case', async () => {
    const rows = Array.from({ length: 120 }, (_, row) => `${row},${at(row)},${['Open', 'Work', 'Close'][row % 3]}`);
    const graph = (key: string): string =>
      graphText(
        `  - { activityName: Log, dataObject: log, key: ${key}, entityType: case, startTimestamp: at, activityColumn: step }\n`,
      );
    const files = {
      'log.csv': ['row,at,step,case', ...rows.map((line, row) => `${line},C${Math.floor(row / 3)}`)].join('\n'),
    };
    const exploded = await found({ ...files, 'graph.entity.yaml': graph('row') }, 'exploded-keys');
    assert.deepEqual(
      exploded.map(({ severity, count, of }) => [severity, count, of]),
      [['warning', 120, 120]],
    );
    assert.deepEqual(await found({ ...files, 'graph.entity.yaml': graph('case') }, 'exploded-keys'), []);
  });

  it('tell keys apart whose letters are not Latin', async () => {
    const events = (key: string, first: number, count: number): readonly string[] =>
      Array.from({ length: count }, (_, row) => `${key},${at(first + row)},Step ${row}`);
    const cases = Array.from({ length: 20 }, (_, number) => [
      ...events(`Заказ ${number}`, number * 7, 2),
      ...events(`Счёт ${number}`, number * 7 + 3, 1),
    ]);
    const log = ['case,at,step', ...cases.flat()];
    const graph = graphText(
      '  - { activityName: Log, dataObject: log, key: case, entityType: case, startTimestamp: at, activityColumn: step }\n',
    );
    assert.deepEqual(await found({ 'log.csv': log.join('\n'), 'graph.entity.yaml': graph }, 'exploded-keys'), []);
    const written = [...log, ...Array.from({ length: 20 }, (_, number) => events(`ЗАКАЗ-${number}`, number, 1)).flat()];
    const [variants] = await found({ 'log.csv': written.join('\n'), 'graph.entity.yaml': graph }, 'exploded-keys');
    assert.equal(variants?.count, 20);
  });
});
