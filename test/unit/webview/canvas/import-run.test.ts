import assert from 'node:assert/strict';
import type { FailureCode } from '../../../../protocol/failure-codes.ts';
import type { GraphView } from '../../../../protocol/graph-view.ts';
import type { CanvasHandlers } from '../../../../webview/src/canvas/canvas-edits.ts';
import { drawRun } from '../../../../webview/src/canvas/draw-import-run.ts';

/** The texts in a template, at any depth: drawing it needs a browser. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null || !('values' in value)) return [];
  return textsOf(value.values);
}

/** The page *Import* after a failure; neither the graph nor the handlers are read before a button is pressed. */
function textsAfter(code: FailureCode, more: { readonly hasKeptRows?: true } = {}): readonly string[] {
  const error = { code, message: 'Data source shop: it failed.', ...more };
  const outcome = { status: 'failed', durationMs: 1, failedStep: 'data pull', error } as const;
  const news = { last: { endedAt: '2024-07-01T10:00:00Z', outcome }, status: null };
  return textsOf(drawRun(news, {} as GraphView, {} as CanvasHandlers));
}

describe('page Import after a failed import', () => {
  it('offers kept rows if the server says that they replace the data source', () => {
    for (const code of ['source-unreachable', 'connection-lost', 'file-missing', 'source-failed'] as const) {
      const texts = textsAfter(code, { hasKeptRows: true });
      assert.ok(texts.includes('Import with Kept Rows'), code);
      assert.ok(texts.includes('import-with-kept-rows'), code);
    }
  });

  it('offers no kept rows otherwise, although the data source is down', () => {
    for (const code of ['source-unreachable', 'connection-lost', 'file-missing', 'authentication-failed'] as const) {
      const texts = textsAfter(code);
      assert.ok(texts.includes('Show Log'), code);
      assert.ok(!texts.includes('Import with Kept Rows'), code);
    }
  });
});
