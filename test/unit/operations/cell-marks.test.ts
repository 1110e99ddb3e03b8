import assert from 'node:assert/strict';
import type { CellValue, QueryColumn } from '../../../server/src/connectors/connector.ts';
import { castFailureMarks, roleMarks, textTimes } from '../../../server/src/operations/queries/cell-marks.ts';
import type { ElementQuery } from '../../../server/src/query/compiled-query.ts';

const column = (name: string, sense: QueryColumn['sense']): QueryColumn => ({ name, sense, type: sense.toUpperCase() });

const query: ElementQuery = {
  kind: 'element',
  select: { items: [], rows: { from: { path: [], alias: '' } } },
  dialect: 'duckdb',
  sql: '',
  columns: [],
  dataObjects: [],
  fragments: [],
  references: [],
  roles: { key: ['id'], startTimestamp: 'opened', changeTimestamp: 'closed', properties: ['note', 'rate', 'seen'] },
};

const times = (opened: QueryColumn['sense'], closed = opened): readonly QueryColumn[] => [
  column('id', 'integer'),
  column('opened', opened),
  column('closed', closed),
  column('note', 'text'),
  column('rate', 'number'),
  column('seen', 'timestamp'),
];

const [early, late] = ['2024-01-01T08:00:00.000000Z', '2024-01-02T08:00:00.000000Z'];

/** One row per preview row, with the marked cells and their texts. */
const cases: readonly (readonly [
  title: string,
  columns: readonly QueryColumn[],
  cells: readonly CellValue[],
  marks: readonly (readonly [column: number, severity: string, message: RegExp])[],
])[] = [
  ['valid values have none', times('timestamp'), [1, early, late, 'x', 1.5, late], []],
  ['missing optional values have none', times('timestamp'), [1, early, null, null, null, null], []],
  ['odd values without a role', times('timestamp'), [1, early, late, 'never', 'NaN', 'infinity'], []],
  ['a key that is missing', times('timestamp'), [null, early, late, 'x', 1, null], [[0, 'warning', /No key/]]],
  ['a start that is missing', times('timestamp'), [1, null, late, 'x', 1, null], [[1, 'warning', /gives no event/]]],
  [
    'times without end',
    times('timestamp'),
    [1, '-infinity', 'infinity', 'x', 1, null],
    [
      [1, 'warning', /infinite/],
      [2, 'warning', /infinite/],
    ],
  ],
  [
    'a change before the start',
    times('timestamp'),
    [1, late, early, 'x', 1, null],
    [[2, 'warning', /before the Start/]],
  ],
  [
    'dates in the wrong order',
    times('date'),
    [1, '2024-02-01', '2024-01-31', 'x', 1, null],
    [[2, 'warning', /before/]],
  ],
  ['a date and a time of the same day', times('timestamp', 'date'), [1, early, '2024-01-01', 'x', 1, null], []],
  [
    'times BC, whose texts sort in another order',
    times('timestamp'),
    [1, '-000043-03-15T00:00:00.000000Z', early, 'x', 1, null],
    [],
  ],
  ['texts in the wrong order', times('text'), [1, '2024-02-01', '1 May 2023', 'x', 1, null], []],
  [
    'a text that is not a time',
    times('text'),
    [1, 'never', '2024-01-01', 'never', 1, null],
    [[1, 'error', /^"never" is not a readable time: an import stops here\.$/]],
  ],
];

describe('cell marks', () => {
  for (const [title, columns, cells, expected] of cases) {
    it(title, () => {
      const marks = roleMarks(query, { columns, rows: [cells] }, (text) => text === 'never');
      assert.deepEqual(
        marks.map(({ row, column: place, severity }) => [row, place, severity]),
        expected.map(([place, severity]) => [0, place, severity]),
      );
      for (const [index, [, , message]] of expected.entries()) assert.match(marks[index]?.message ?? '', message);
    });
  }

  it('an end before the start', () => {
    const { changeTimestamp, ...roles } = query.roles;
    const ending = { ...query, roles: { ...roles, endTimestamp: changeTimestamp } };
    assert.deepEqual(
      roleMarks(ending, { columns: times('timestamp'), rows: [[1, late, early, 'x', 1, null]] }, () => false),
      [{ row: 0, column: 2, severity: 'warning', message: 'The End Timestamp is before the Start Timestamp.' }],
    );
  });

  it('are requested once per distinct time text, and for no other text', () => {
    const rows = [
      [1, 'never', 'soon', 'note', 1, null],
      [2, 'never', null, 'other', 1, null],
    ];
    assert.deepEqual(textTimes(query, { columns: times('text'), rows }), ['never', 'soon']);
    assert.deepEqual(textTimes(query, { columns: times('timestamp'), rows }), []);
  });

  it('state the expected type of an unconverted text, and shorten a long one', () => {
    const preview = { columns: times('text'), truncated: false, durationMs: 1 };
    const rows = [[`${'x'.repeat(100)}\ny`]];
    assert.deepEqual(castFailureMarks({ ...preview, rows, castFailures: [{ row: 0, column: 0 }] }), [
      {
        row: 0,
        column: 0,
        severity: 'error',
        message: `"${'x'.repeat(59)}…" is no INTEGER: queries and imports stop here.`,
      },
    ]);
    assert.deepEqual(castFailureMarks({ ...preview, rows }), []);
  });
});
