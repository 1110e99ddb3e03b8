import assert from 'node:assert/strict';
import { isTablePosition } from '../../../client/src/table-position.ts';

describe('isTablePosition', () => {
  const tables = [
    'FROM ',
    'FROM ev',
    'select * from ev',
    'SELECT * FROM event AS v JOIN ',
    'SELECT * FROM event, ent',
    'SELECT * FROM (SELECT 1, 2) AS a, ',
    'SELECT count(*) FROM event WHERE id IN (SELECT event_id FROM ev',
    'SELECT 1;\nFROM ev',
    "SELECT ';' FROM ev",
    'SELECT 1 -- WHERE\nFROM "ev',
    'DESCRIBE ',
  ];
  for (const text of tables) it(`${text}| names a table`, () => assert.equal(isTablePosition(text), true));

  const others = [
    '',
    'SEL',
    'SELECT ',
    'SELECT activity, ',
    'SELECT * FROM event ',
    'SELECT * FROM event WHERE id',
    'SELECT * FROM event GROUP BY activity, ',
    'SELECT * FROM event, entity WHERE x IN (1, ',
    'SELECT f(from_, ',
    'SELECT * FROM event; SEL',
    'SELECT event.',
    "SELECT 'FROM ",
  ];
  for (const text of others) it(`${text}| names none`, () => assert.equal(isTablePosition(text), false));
});
