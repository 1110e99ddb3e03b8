import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type SqlMistake,
  type SqlQuestion,
  type SqlTable,
  isPending,
} from '../../../server/src/language/sql/sql-validator.ts';
import { createBackgroundValidator } from '../../../server/src/sql/background-validator.ts';

const orders: SqlTable = { path: ['orders'], bare: true, columns: [{ name: 'id', type: 'INTEGER' }] };
const mistake: SqlMistake = { kind: 'column', position: 7, name: 'x' };

/** A parser that responds on command. */
function slowParser() {
  const asked: { readonly question: SqlQuestion; readonly answer: (mistakes: readonly SqlMistake[]) => void }[] = [];
  const ask = (question: SqlQuestion): Promise<readonly SqlMistake[]> =>
    new Promise((answer) => asked.push({ question, answer }));
  const statements = (): readonly string[] => asked.map(({ question }) => question.statement);
  return { ask, asked, statements };
}

describe('background SQL validator', () => {
  it('announces a result, then returns it', async () => {
    const parser = slowParser();
    let timesAnswered = 0;
    const { validator, isPending: isAnyPending } = createBackgroundValidator(parser.ask, () => (timesAnswered += 1));
    const question = { statement: 'SELECT x', tables: [orders] };
    const first = validator(question);
    assert.ok(isPending(first) && !first.isKnown());
    assert.equal(isAnyPending(), true);
    parser.asked[0]?.answer([mistake]);
    await nextTurn();
    assert.equal(first.isKnown(), true);
    assert.deepEqual(validator(question), [mistake]);
    assert.deepEqual([isAnyPending(), timesAnswered], [false, 1]);
  });

  it('announces results at intervals while others are pending', async () => {
    const parser = slowParser();
    let onTold = (): void => undefined;
    const told = new Promise<void>((resolve) => (onTold = resolve));
    const { validator, isPending: isAnyPending } = createBackgroundValidator(parser.ask, () => onTold());
    const [first] = ['SELECT x', 'SELECT y'].map((statement) => validator({ statement }));
    parser.asked[0]?.answer([mistake]);
    // A timer that keeps the process alive, which the validator's does not.
    const awake = setInterval(() => undefined, 1_000);
    await told;
    clearInterval(awake);
    assert.ok(first && isPending(first) && first.isKnown());
    assert.equal(isAnyPending(), true);
  });

  it('keeps all results of one file, and drops them afterwards', async () => {
    let asked = 0;
    const {
      validator,
      isPending: isAnyPending,
      answered,
    } = createBackgroundValidator(() => Promise.resolve((asked += 1) < 0 ? [mistake] : []));
    const statements = Array.from({ length: 50_000 }, (_, index) => `SELECT ${index}`);
    const askAll = () => statements.filter((statement) => isPending(validator({ statement }))).length;
    assert.equal(askAll(), 50_000);
    await answered();
    assert.equal(askAll(), 0);
    assert.equal(isAnyPending(), false);
    validator({ statement: 'SELECT x' });
    await answered();
    assert.equal(isPending(validator({ statement: 'SELECT x' })), false);
    assert.equal(isPending(validator({ statement: 'SELECT 7' })), true);
    assert.equal(asked, 50_002);
  });

  it('validates equal statements once, and again when a table differs', async () => {
    const parser = slowParser();
    const { validator } = createBackgroundValidator(parser.ask);
    const wider = { ...orders, columns: [...orders.columns, { name: 'note', type: 'VARCHAR' }] };
    const all = [[orders], [structuredClone(orders)], [wider], [], undefined];
    for (const tables of all) validator({ statement: 'SELECT x', ...(tables && { tables }) });
    await nextTurn();
    assert.deepEqual(
      parser.asked.map(({ question }) => question.tables?.map(({ columns }) => columns.length)),
      [[1], [2], [], undefined],
    );
  });

  it('sends only the statement and its tables', () => {
    const parser = slowParser();
    const { validator } = createBackgroundValidator(parser.ask);
    const placed = { statement: 'SELECT x', tables: [orders], printed: { fragments: ['much'] } };
    validator(placed);
    assert.deepEqual(parser.asked[0]?.question, { statement: 'SELECT x', tables: [orders] });
  });

  it('validates the latest statement before queued ones', async () => {
    const parser = slowParser();
    const { validator } = createBackgroundValidator(parser.ask);
    for (let index = 0; index < 1_000; index += 1) validator({ statement: `SELECT ${index}` });
    const begun = parser.asked.length;
    assert.ok(begun < 100, `${begun} at once`);
    validator({ statement: 'SELECT just_typed' });
    parser.asked[0]?.answer([]);
    await nextTurn();
    assert.equal(parser.statements()[begun], 'SELECT just_typed');
    for (let index = 1; index < parser.asked.length; index += 1) {
      parser.asked[index]?.answer([]);
      await nextTurn();
    }
    assert.equal(new Set(parser.statements()).size, 1_001);
  });
});
