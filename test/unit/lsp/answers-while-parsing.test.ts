import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { createAnswersWhileParsing } from '../../../server/src/lsp/documents/answers-while-parsing.ts';
import { createProblemsPriority } from '../../../server/src/lsp/documents/problems-priority.ts';
import type { OpenGraph } from '../../../server/src/lsp/documents/open-documents.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';

const uri = 'file:///o.entity.yaml';
const params = { textDocument: { uri } };

function graphOf(length: number): OpenGraph {
  const text = `version: 1\n${'# x\n'.repeat(length / 4)}`;
  const parsed = createGraphParser().parse(text);
  const base = { kind: 'graph', uri, version: 1, isNew: false, cameAt: longAgo } as const;
  return { ...base, text, lines: createLineIndex(text), parsed, memo: createEntryCache() };
}

const longAgo = -100_000;
const [large, small] = [graphOf(100_000), graphOf(400)];
const typed = (version: number): OpenGraph => ({ ...large, version, cameAt: performance.now() });

/** Requests a list of all entries; returns the response and its time. */
function ask(document: () => OpenGraph) {
  const abort = new AbortController();
  const documents = {
    get: document,
    isBeingRead: () => false,
    whenRead: () => Promise.resolve(document()),
    problemsPriority: createProblemsPriority(),
  };
  const computed: number[] = [];
  const work = createAnswersWhileParsing(documents).calm(() => {
    computed.push(document().version);
    return document().version;
  });
  return { abort, computed, answer: Promise.resolve(work(params, abort.signal)) };
}

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

describe('lists of all entries of a document', () => {
  // Of the time of the test: other files of the process may take minutes before it.
  const aMinuteOn = (): number => performance.now() + 60_000;
  const answered: readonly (readonly [name: string, document: () => OpenGraph])[] = [
    ['that was not typed in for long', () => large],
    ['that was just opened', () => ({ ...large, isNew: true, cameAt: aMinuteOn() })],
    ['that is small', () => ({ ...small, cameAt: aMinuteOn() })],
  ];
  for (const [name, make] of answered) {
    it(`are returned at once: ${name}`, async () => {
      const document = make();
      const { computed } = ask(() => document);
      await someTurns();
      assert.deepEqual(computed, [document.version]);
    });
  }

  it('are not computed for a large document if the next keystroke cancels the request', async () => {
    const document = { ...large, cameAt: aMinuteOn() };
    const { abort, computed, answer } = ask(() => document);
    await someTurns();
    abort.abort(new Error('Cancelled.'));
    await assert.rejects(answer);
    assert.deepEqual(computed, []);
  });

  it('are computed for the last version of a large document, after a pause in typing', async () => {
    let document = typed(2);
    const { computed, answer } = ask(() => document);
    document = typed(3);
    assert.equal(await answer, 3);
    assert.ok(performance.now() - document.cameAt >= 700);
    assert.deepEqual(computed, [3]);
  });
});
