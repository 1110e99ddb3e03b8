import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { SqlMistake, SqlQuestion, SqlTable } from '../../../server/src/language/sql/sql-validator.ts';
import { openDuckDbValidator } from '../../../server/src/operations/validation/duckdb-validator.ts';
import { type EarlierAnswers, earlierAnswers } from '../../../server/src/operations/validation/earlier-answers.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const table = (type: string): SqlTable => ({ path: ['orders'], bare: true, columns: [{ name: 'id', type }] });
const question: SqlQuestion = { statement: 'SELECT idd FROM orders', tables: [table('INTEGER')] };
const others: readonly SqlQuestion[] = [
  { ...question, statement: 'SELECT id FROM orders' },
  { ...question, tables: [table('VARCHAR')] },
  { ...question, tables: [] },
  { statement: question.statement },
  { ...question, gives: 'time' },
];

describe('answers to the SQL of a graph that an earlier run found', () => {
  let caches: string;
  let program: string;
  const earlier = (graph = '/shop.entity.yaml'): EarlierAnswers => {
    const name = process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME';
    const answers = earlierAnswers(graph, program, { [name]: caches });
    assert.ok(answers);
    return answers;
  };
  /** The answer of DuckDB, or of the earlier run if it has one. */
  const answer = async (asked: SqlQuestion, answers?: EarlierAnswers): Promise<readonly SqlMistake[]> => {
    const validator = openDuckDbValidator(undefined, answers);
    try {
      validator.validator(asked);
      await validator.answered();
      return validator.validator(asked) as readonly SqlMistake[];
    } finally {
      await validator.close();
    }
  };

  beforeEach(async () => {
    caches = await folderWith({ 'program.js': '' });
    program = join(caches, 'program.js');
  });
  afterEach(() => removeFolder(caches));

  it('are those of the engine, for the same question of the same graph only', async () => {
    const found = await answer(question, earlier());
    assert.deepEqual(
      found.map(({ kind, name }) => [kind, name]),
      [['column', 'idd']],
    );
    assert.deepEqual(earlier().of(question), found);
    assert.equal(earlier('/other.entity.yaml').of(question), undefined);
    for (const other of others) {
      assert.equal(earlier().of(other), undefined, JSON.stringify(other));
      assert.deepEqual(await answer(other, earlier()), await answer(other));
      await answer(question, earlier());
    }
  });

  it('are used instead of the engine', async () => {
    const remembered: SqlMistake = { kind: 'other', position: 3, message: 'as before' };
    const answers = earlier();
    answers.remember(question, [remembered]);
    answers.keep();
    assert.deepEqual(await answer(question, earlier()), [remembered]);
  });

  it('are forgotten with the statements of the graph, and by another version of the program', async () => {
    await answer(question, earlier());
    await answer({ statement: 'SELECT 1' }, earlier());
    assert.equal(earlier().of(question), undefined);
    await answer(question, earlier());
    await utimes(program, 1, 1);
    assert.equal(earlier().of(question), undefined);
  });

  it('are not kept by sources that are run without a build', () => {
    assert.equal(earlierAnswers('/shop.entity.yaml', undefined, { XDG_CACHE_HOME: caches }), undefined);
  });
});
