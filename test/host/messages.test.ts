import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import { targetAtLine } from '../../client/src/choose-query-target.ts';
import { importDoneMessage, importStoppedIntro, summaryLines } from '../../client/src/import-messages.ts';
import { statusLook } from '../../client/src/import-status-bar.ts';
import { printSteps } from '../../client/src/query-documents.ts';
import type { ImportSummary } from '../../protocol/import-progress.ts';
import type { GraphStatusView, QueryTargetView } from '../../protocol/language-requests.ts';

const summary: ImportSummary = {
  type: 'summary',
  status: 'imported',
  store: '/project/.entity-graph/graphs/a/run.duckdb',
  elements: [{ activityName: 'Open', rows: 2, events: 1, entities: 1, rowsWithoutStart: 1, rowsWithoutKey: 0 }],
  entities: [],
  relationships: [{ name: 'Open → Close', pairs: 1200 }],
  totals: { events: 9529, entities: 1, correlations: 0, relations: 890, directlyFollows: 0 },
  warnings: ['One row has no start.'],
  durationMs: 712,
};

describe('what the extension says', () => {
  it('at the end of an import', () => {
    assert.equal(importDoneMessage(summary), 'Import Done: 9,529 events, 1 entity, 890 relations in 0.7 s. 1 warning.');
    assert.equal(
      importDoneMessage({ ...summary, warnings: [] }),
      'Import Done: 9,529 events, 1 entity, 890 relations in 0.7 s.',
    );
    assert.equal(importStoppedIntro({ ...summary, failedStep: 'data pull' }), 'Import stopped at data pull: ');
    assert.equal(importStoppedIntro(summary), 'Import stopped: ');
  });

  it('in the log', () => {
    const lines = (of: ImportSummary) =>
      summaryLines(Uri.file('/w/a.entity.yaml'), of).map(({ level, text }) => `${level}: ${text}`);
    assert.deepEqual(lines(summary), [
      'info: Import of a.entity.yaml: imported',
      'info:   Open: 2 rows, 1 event, 1 entity',
      'info:   Open → Close: 1,200 pairs',
      'warn:   One row has no start.',
      'info:   /project/.entity-graph/graphs/a/run.duckdb',
    ]);
    const { store: _, ...rest } = summary;
    const stopped = { ...rest, elements: [], relationships: [], warnings: [] };
    const error = { code: 'connection-failed', message: 'The server does not answer.', remedy: 'Start it.' };
    assert.deepEqual(lines({ ...stopped, status: 'failed', error }), [
      'error: Import of a.entity.yaml: failed',
      'error:   The server does not answer. Start it.',
    ]);
    const cancelled = { code: 'cancelled', message: 'Cancelled.' };
    assert.deepEqual(lines({ ...stopped, status: 'cancelled', error: cancelled }), [
      'info: Import of a.entity.yaml: cancelled',
      'info:   Cancelled.',
    ]);
  });

  it('in the status bar', () => {
    const status: GraphStatusView = {
      status: 'Not Imported',
      progress: 'Import failed at data pull: no password',
      imported: null,
      modifiedSinceImport: false,
    };
    const imported: GraphStatusView = { ...status, status: 'Imported', progress: 'Import Done' };
    assert.deepEqual(
      [null, status, imported, { ...imported, modifiedSinceImport: true }].map((each) => statusLook(each).text),
      [
        '$(circle-outline) Entity Graph: Not Imported',
        '$(circle-outline) Entity Graph: Not Imported',
        '$(circle-filled) Entity Graph: Imported',
        '$(circle-filled) Entity Graph: Imported, Modified Since',
      ],
    );
    assert.match(statusLook(status).tooltip, /no password$/);
  });
});

describe('the text of Show Query', () => {
  it('has every step under its title, and knows where the core starts', () => {
    const step = { kind: 'sql', dialect: 'duckdb' } as const;
    const printed = printSteps([
      { ...step, role: 'setup', title: 'The file', text: 'CREATE VIEW a AS\nSELECT 1' },
      { ...step, role: 'core', title: 'Core query', text: 'SELECT * FROM a' },
    ]);
    assert.deepEqual(printed, {
      text: '-- The file\nCREATE VIEW a AS\nSELECT 1\n\n-- Core query\nSELECT * FROM a\n',
      coreLine: 4,
    });
    assert.equal(printed.text.split('\n')[printed.coreLine], '-- Core query');
  });

  it('has requests under titles of their own, and starts with them', () => {
    const printed = printSteps([
      {
        kind: 'http',
        dialect: 'http',
        role: 'setup',
        title: 'Records',
        text: 'GET https://a.example/b\nAccept: text/csv',
      },
      { kind: 'sql', dialect: 'duckdb', role: 'core', title: 'Core query', text: 'SELECT 1' },
    ]);
    assert.deepEqual(printed, {
      text: '### Records\nGET https://a.example/b\nAccept: text/csv\n\n-- Core query\nSELECT 1\n',
      coreLine: 0,
    });
  });
});

describe('the element at the cursor', () => {
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
