import assert from 'node:assert/strict';
import type { KnownColumn } from '../../../protocol/api-explorer.ts';
import { completeColumns, completeQuery } from '../../../webview/src/api-explorer/complete-value.ts';

const columns: readonly KnownColumn[] = [
  { name: 'sys_id', type: 'VARCHAR' },
  { name: 'active', type: 'BOOLEAN' },
  { name: 'number', type: 'VARCHAR', label: 'Number' },
  {
    ...{ name: 'state', type: 'BIGINT', label: 'State' },
    values: [
      { value: '1', label: 'New' },
      { value: '10', label: 'Waiting' },
      { value: '2', label: 'In Progress' },
    ],
  },
  { name: 'state_reason', type: 'VARCHAR' },
];

/** One row per text of a list of columns: the proposals. */
const lists: readonly (readonly [typed: string, ...proposed: string[]])[] = [
  ['', 'sys_id', 'active', 'number', 'state', 'state_reason'],
  ['st', 'state', 'state_reason'],
  ['REASON', 'state_reason'],
  ['state', 'state', 'state_reason'],
  ['number,', 'number,sys_id', 'number,active', 'number,state', 'number,state_reason'],
  ['number, state,mb'],
  ['number,act', 'number,active'],
  ['caller_id.name'],
];

/** One row per text of a query: the first proposals, `…` for further ones. */
const queries: readonly (readonly [typed: string, ...proposed: string[]])[] = [
  ['', 'sys_id', 'active', 'number', 'state', 'state_reason', 'ORDERBY', 'ORDERBYDESC'],
  ['num', 'number'],
  ['state', 'state', 'state_reason', 'state=', 'state!=', '…'],
  ['number^', 'number^sys_id', '…'],
  ['active=', 'active=true', 'active=false'],
  ['active=true', 'active=true'],
  ['active=true^st', 'active=true^state', 'active=true^state_reason'],
  ['active=true^ORst', 'active=true^ORstate', 'active=true^ORstate_reason'],
  ['active=true^NQnum', 'active=true^NQnumber'],
  ['active=true^ORDER', 'active=true^ORDERBY', 'active=true^ORDERBYDESC'],
  ['active=true^ORDERBYnum', 'active=true^ORDERBYnumber'],
  ['ORDERBYDESCst', 'ORDERBYDESCstate', 'ORDERBYDESCstate_reason'],
  ['numberST', 'numberSTARTSWITH'],
  ['number!', 'number!='],
  ['numberSTARTSWITHINC'],
  ['number=INC1'],
  ['state=1', 'state=1', 'state=10'],
  ['state=10', 'state=10'],
  ['state=in p', 'state=2'],
  ['state!=', 'state!=1', 'state!=10', 'state!=2'],
  ['stateIN1,w', 'stateIN1,10'],
  ['state_reason=x'],
  ['state=99'],
  ['caller_id.name=x'],
];

describe('value completion with column names', () => {
  for (const [typed, ...proposed] of lists) {
    it(`works in a list: "${typed}"`, () => {
      assert.deepEqual(
        completeColumns(typed, columns).map(({ value }) => value),
        proposed,
      );
    });
  }
  for (const [typed, ...proposed] of queries) {
    it(`works in a query: "${typed}"`, () => {
      const found = completeQuery(typed, columns).map(({ value }) => value);
      const isPart = proposed.at(-1) === '…';
      assert.deepEqual(isPart ? [...found.slice(0, proposed.length - 1), '…'] : found, proposed);
    });
  }

  it('shows the inserted text and its description', () => {
    assert.deepEqual(completeColumns('number,state', columns)[0], {
      ...{ value: 'number,state', shown: 'state', detail: 'State · BIGINT' },
    });
    assert.deepEqual(completeQuery('active=true^state=2', columns)[0], {
      ...{ value: 'active=true^state=2', shown: '=2', detail: 'In Progress' },
    });
  });
});
