import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TextDocument, commands, window, workspace } from 'vscode';
import { createEditWriter } from '../../client/src/apply-edits.ts';
import type { IntentEdits } from '../../protocol/canvas-intents.ts';
import type { Outcome } from '../../protocol/query-results.ts';

describe('canvas edits in a document', () => {
  let document: TextDocument;
  let folder: string;

  // A separate file for each test: untitled documents share names, and may be restored with the previous text.
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'entity-graph-edits-'));
    const file = join(folder, 'a.entity.yaml');
    writeFileSync(file, 'name: a\n');
    document = await workspace.openTextDocument(file);
    await window.showTextDocument(document);
  });
  afterEach(async () => {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Inserts a text at the end of the first line. */
  const append = (newText: string, version = document.version): Outcome<IntentEdits> => {
    const end = document.lineAt(0).range.end;
    const at = { line: end.line, character: end.character };
    return { ok: true, value: { version, edits: [{ range: { start: at, end: at }, newText }], select: newText } };
  };

  it('are recomputed when the document has changed', async () => {
    const writer = createEditWriter();
    let asked = 0;
    const outcome = await writer.write(document, async () => {
      asked += 1;
      return append('x', asked === 1 ? document.version - 1 : document.version);
    });
    assert.deepEqual([outcome, asked, document.getText()], [{ ok: true, value: { select: 'x' } }, 2, 'name: ax\n']);
  });

  it('are reported as failed when the document keeps changing', async () => {
    const outcome = await createEditWriter().write(document, async () => append('x', -1));
    assert.ok(!outcome.ok && outcome.error.code === 'document-changed');
    assert.equal(document.getText(), 'name: a\n');
  });

  it('are applied one after another', async () => {
    const writer = createEditWriter();
    await Promise.all(['1', '2', '3'].map((text) => writer.write(document, async () => append(text))));
    assert.equal(document.getText(), 'name: a123\n');
  });

  it('are one edit with those of other files', async () => {
    const file = join(folder, 'a.entity.test.yaml');
    writeFileSync(file, 'activity: Pay\n');
    const tests = await workspace.openTextDocument(file);
    const range = { start: { line: 0, character: 10 }, end: { line: 0, character: 13 } };
    const real = workspace.applyEdit;
    let applied = 0;
    Object.assign(workspace, {
      applyEdit: (...args: Parameters<typeof real>) => {
        applied += 1;
        return real(...args);
      },
    });
    try {
      const own = append('x');
      assert.ok(own.ok);
      const others = [{ uri: tests.uri.toString(), edits: [{ range, newText: 'Settle' }] }];
      await createEditWriter().write(document, async () => ({ ok: true, value: { ...own.value, others } }));
    } finally {
      Object.assign(workspace, { applyEdit: real });
    }
    assert.deepEqual([document.getText(), tests.getText(), applied], ['name: ax\n', 'activity: Settle\n', 1]);
  });

  it('report a refused edit, and continue with the next', async () => {
    const writer = createEditWriter();
    const refused = { ok: false, error: { code: 'edit-refused', message: 'No.' } } as const;
    const [first, second] = await Promise.all([
      writer.write(document, async () => refused),
      writer.write(document, async () => append('y')),
    ]);
    assert.deepEqual(first, refused);
    assert.ok(second.ok);
    assert.equal(document.getText(), 'name: ay\n');
  });
});
