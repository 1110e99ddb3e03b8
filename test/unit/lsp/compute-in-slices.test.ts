import assert from 'node:assert/strict';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { findingLinks } from '../../../server/src/language/document-links.ts';
import { findingFolds } from '../../../server/src/language/folding-ranges.ts';
import { outlineEntityGraph } from '../../../server/src/language/document-symbols.ts';
import { findingTokens } from '../../support/finding-tokens.ts';
import { viewingGraph } from '../../../server/src/language/to-graph-view.ts';
import { createProblemsPriority } from '../../../server/src/lsp/documents/problems-priority.ts';
import { computeInSlices } from '../../../server/src/lsp/documents/compute-in-slices.ts';
import type { OpenDocument, OpenGraph } from '../../../server/src/lsp/documents/open-documents.ts';
import { toDocumentSymbols } from '../../../server/src/lsp/features/document-symbols.ts';
import { prepareEdits } from '../../../server/src/model/edits/edit-text.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { type Steps, toEnd } from '../../../server/src/model/steps.ts';

const uri = 'file:///o.entity.yaml';
const entries = 1000;
const entry = (index: number): string =>
  `  # Of the shop\n  # since 2020\n  - activityName: Order ${index}\n    dataObject: orders\n    where: id > ${index}\n`;
const graphOf = (count: number, version: number): OpenGraph => {
  const text = `version: 1\ndataSource: shop\nelements:\n${Array.from({ length: count }, (_, index) => entry(index)).join('')}`;
  return {
    ...{ kind: 'graph', uri, version, isNew: true, cameAt: 0, text, lines: createLineIndex(text) },
    ...{ parsed: createGraphParser().parse(text), memo: createEntryCache() },
  };
};
const document = graphOf(entries, 1);

describe('answers about a large document, computed in time slices', () => {
  const { parsed, lines } = document;
  const answers: readonly (readonly [what: string, steps: () => Steps<unknown>])[] = [
    ['folding', () => findingFolds(parsed.yaml, lines)],
    ['symbols', () => toDocumentSymbols(outlineEntityGraph(parsed), lines, new Set())],
    ['colours', () => findingTokens(parsed, new WeakMap())],
    ['links', () => findingLinks(parsed.yaml)],
    ['the canvas', () => viewingGraph(parsed, document)],
    ['changes on the canvas', () => prepareEdits(parsed.yaml)],
  ];
  for (const [what, make] of answers) {
    it(`${what}: yield at each entry`, () => {
      const steps = make();
      let count = 0;
      while (!steps.next().done) count += 1;
      assert.ok(count >= entries, `${count} steps`);
    });
  }

  it('folding ranges are the list and each entry with its comment', () => {
    const folds = toEnd(findingFolds(parsed.yaml, lines));
    assert.equal(folds.length, 1 + 2 * entries);
    assert.equal(folds.filter(({ kind }) => kind === 'comment').length, entries);
  });

  it('restart for a newer version, and yield to other requests', async () => {
    let latest: OpenDocument = document;
    const newer = graphOf(2, 2);
    const documents = {
      get: () => latest,
      whenRead: () => Promise.resolve(latest),
      problemsPriority: createProblemsPriority(),
    };
    const looked: number[] = [];
    // Endless work, unless the newer version replaces it.
    const work = function* ({ version }: OpenDocument): Steps<number> {
      looked.push(version);
      while (version === 1) yield;
      return version;
    };
    const answer = computeInSlices(documents, uri, new AbortController().signal, work);
    await nextTurn();
    latest = newer;
    assert.equal(await answer, 2);
    assert.deepEqual(looked, [1, 2]);
  });

  it('stop on cancellation', async () => {
    const documents = {
      get: () => document,
      whenRead: () => Promise.resolve(document),
      problemsPriority: createProblemsPriority(),
    };
    const abort = new AbortController();
    const endless = function* (): Steps<never> {
      for (;;) yield;
    };
    const answer = computeInSlices(documents, uri, abort.signal, endless);
    setImmediate(() => abort.abort(new Error('Cancelled.')));
    await assert.rejects(answer, /Cancelled/);
  });

  it('wait until the problems after a keystroke are sent', async () => {
    const problemsPriority = createProblemsPriority();
    const documents = { get: () => document, whenRead: () => Promise.resolve(document), problemsPriority };
    const { signal } = new AbortController();
    const order: string[] = [];
    const work = function* (): Steps<void> {
      order.push('begun');
      // Several time slices, also where other programs take the processor.
      for (const before = process.cpuUsage(); process.cpuUsage(before).user < 40_000;) yield;
      order.push('ended');
    };
    const answer = computeInSlices(documents, uri, signal, work);
    await nextTurn();
    problemsPriority.changed();
    const later = computeInSlices(documents, uri, signal, work);
    setImmediate(() => {
      order.push('sent');
      problemsPriority.sending();
    });
    await Promise.all([answer, later]);
    assert.deepEqual([order.slice(0, 2), order.length], [['begun', 'sent'], 5]);
  });

  it('wait for requested problems, until these are complete or cancelled', async () => {
    const problemsPriority = createProblemsPriority();
    problemsPriority.changed();
    const answered = problemsPriority.requested();
    let areSent = false;
    const sent = problemsPriority.problemsSent?.then(() => (areSent = true));
    await pause(600);
    assert.equal(areSent, false);
    answered();
    await sent;
    assert.equal(problemsPriority.problemsSent, undefined);
  });

  it('wait only briefly for problems that nobody requests', async () => {
    const problemsPriority = createProblemsPriority();
    problemsPriority.changed();
    // The timer of the priority does not keep the process alive.
    const awake = setInterval(() => undefined, 1_000);
    await problemsPriority.problemsSent;
    clearInterval(awake);
    assert.equal(problemsPriority.problemsSent, undefined);
  });
});
