import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { targetAtLine } from '../../client/src/choose-query-target.ts';
import { importDoneMessage, importStoppedIntro, outcomeLines } from '../../client/src/import-messages.ts';
import { statusLook } from '../../client/src/import-status-bar.ts';
import { printSteps, queryFirst } from '../../client/src/query-documents.ts';
import type { ImportOutcome, ImportedGraph } from '../../protocol/import-progress.ts';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { QueryTargetView } from '../../protocol/requests/query-requests.ts';

const imported: ImportedGraph = {
  status: 'imported',
  store: '/project/.entity-graph/graphs/a/run.duckdb',
  elements: [{ activityName: 'Open', rows: 2, events: 1, entities: 1, rowsWithoutStart: 1, rowsWithoutKey: 0 }],
  entities: [],
  relationships: [{ name: 'Open → Close', pairs: 1200 }],
  totals: { events: 9529, entities: 1, correlations: 0, relations: 890, directlyFollows: 0 },
  warnings: ['One row has no start.'],
  steps: [],
  durationMs: 712,
};

describe('import messages', () => {
  it('name the counts or the failed step at the end of an import', () => {
    const done = 'Import Done: 9,529 events, 1 entity, 890 relations in 0.7 s.';
    assert.equal(importDoneMessage(imported), `${done} 1 warning.`);
    assert.equal(importDoneMessage({ ...imported, warnings: [] }), done);
    const rule = {
      judged: 3,
      concerned: 3,
      kept: 2,
      broken: 1,
      pending: 0,
      undecided: 0,
      share: 0.66,
      atLeast: 1,
      sql: '',
    };
    const broken = (name: string, severity: 'error' | 'info' = 'error') =>
      ({ ...rule, name, severity, holds: false, violations: [] }) as const;
    const withRules = { ...imported, rules: [broken('Pay before shipping'), broken('Known', 'info')], warnings: [] };
    assert.equal(importDoneMessage(withRules), `${done} The rule Pay before shipping is broken.`);
    const two = { ...withRules, rules: [broken('A'), broken('B')] };
    assert.equal(importDoneMessage(two), `${done} 2 rules are broken: A, B.`);
    const error = { code: 'internal-error', message: 'Not to be read.' } as const;
    const stopped = { status: 'failed', failedStep: 'data pull', durationMs: 7, error } as const;
    assert.equal(importStoppedIntro(stopped), 'Import stopped at data pull: ');
    assert.equal(importStoppedIntro({ status: 'refused', error }), 'Import stopped: ');
  });

  it('list counts, steps, warnings and the error in the log', () => {
    const lines = (of: ImportOutcome) =>
      outcomeLines(Uri.file('/w/a.entity.yaml'), of).map(({ level, text }) => `${level}: ${text}`);
    assert.deepEqual(lines({ ...imported, steps: [{ name: 'event', durationMs: 3, rows: 1 }] }), [
      'info: Import of a.entity.yaml: imported',
      'info:   Open: 2 rows, 1 event, 1 entity',
      'info:   Open → Close: 1,200 pairs',
      'info:   Step event: 3 ms, 1 row',
      'warn:   One row has no start.',
      'info:   /project/.entity-graph/graphs/a/run.duckdb',
    ]);
    const error = { code: 'connection-lost', message: 'The server does not answer.', remedy: 'Start it.' } as const;
    assert.deepEqual(lines({ status: 'failed', failedStep: 'data pull', durationMs: 7, error }), [
      'error: Import of a.entity.yaml: failed',
      'error:   The server does not answer. Start it.',
    ]);
    assert.deepEqual(lines({ status: 'refused', error })[0], 'error: Import of a.entity.yaml: refused');
    const cancelled = { code: 'cancelled', message: 'Cancelled.' } as const;
    for (const status of ['cancelled', 'cancelled before it began'] as const) {
      assert.deepEqual(lines({ status, failedStep: 'data pull', durationMs: 7, error: cancelled } as ImportOutcome), [
        `info: Import of a.entity.yaml: ${status}`,
        'info:   Cancelled.',
      ]);
    }
  });

  it('show the status of the graph in the status bar', () => {
    const status: GraphStatusView = {
      status: 'Not Imported',
      progress: 'Import failed at data pull: no password',
      imported: null,
      modifiedSinceImport: false,
    };
    const imported: GraphStatusView = { ...status, status: 'Imported', progress: 'Import Done' };
    assert.deepEqual(
      [
        null,
        status,
        imported,
        { ...imported, slice: { sample: 1000 } },
        { ...imported, modifiedSinceImport: true },
      ].map((each) => statusLook(each).text),
      [
        '$(circle-slash) Entity Graph: Not Imported',
        '$(circle-slash) Entity Graph: Not Imported',
        '$(pass-filled) Entity Graph: Imported',
        '$(pass-filled) Entity Graph: Sample Imported',
        '$(edit) Entity Graph: Imported, Modified Since',
      ],
    );
    assert.match(statusLook(status).tooltip, /no password$/);
  });
});

describe('Show Query text', () => {
  it('begins with the query, and has every other step under its title, with its folded lines', () => {
    const step = { kind: 'sql', dialect: 'duckdb' } as const;
    const steps = queryFirst([
      { ...step, role: 'setup', title: 'The file', text: 'CREATE VIEW a AS\nSELECT 1' },
      { ...step, role: 'core', title: 'Core query', text: 'SELECT * FROM a' },
    ]);
    assert.deepEqual(printSteps(steps), {
      text: '-- Core query\nSELECT * FROM a\n\n-- The file\nCREATE VIEW a AS\nSELECT 1\n',
      folds: [
        { start: 0, end: 1, isQuery: true },
        { start: 3, end: 5, isQuery: false },
      ],
    });
  });

  it('has requests under their own titles, one parameter a line', () => {
    const printed = printSteps([
      {
        kind: 'http',
        dialect: 'http',
        role: 'setup',
        title: 'Records',
        text: 'GET https://a.example/b?fields=id,at&limit=5\nAccept: text/csv',
      },
      { kind: 'sql', dialect: 'duckdb', role: 'core', title: 'Core query', text: 'SELECT 1' },
    ]);
    assert.deepEqual(printed, {
      text: '### Records\nGET https://a.example/b\n    ?fields=id,at\n    &limit=5\nAccept: text/csv\n\n-- Core query\nSELECT 1\n',
      folds: [
        { start: 0, end: 4, isQuery: true },
        { start: 6, end: 7, isQuery: true },
      ],
    });
  });
});

describe('element at the cursor', () => {
  const target = (name: string, from: number, to: readonly [number, number]): QueryTargetView => ({
    target: { kind: 'element', name },
    label: name,
    description: '',
    range: { start: { line: from, character: 4 }, end: { line: to[0], character: to[1] } },
  });
  const targets = [target('First', 2, [5, 0]), target('Second', 5, [7, 12])];
  const cases: readonly (readonly [number, string | undefined])[] = [
    [1, undefined],
    [2, 'First'],
    [4, 'First'],
    [5, 'Second'],
    [7, 'Second'],
    [8, undefined],
  ];
  for (const [line, expected] of cases) {
    it(`on line ${line} is ${expected ?? 'none'}`, () => {
      assert.equal(targetAtLine(targets, line)?.label, expected);
    });
  }
});
