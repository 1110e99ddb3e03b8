import assert from 'node:assert/strict';
import { defaultClientSettings } from '../../../server/src/lsp/client-settings.ts';
import { createKnownSettings } from '../../../server/src/lsp/known-settings.ts';

describe('known settings', () => {
  const read = (tellsChanges: boolean) => {
    const asked: string[] = [];
    const ask = (uri: string) => {
      asked.push(uri);
      return Promise.resolve({ ...defaultClientSettings, previewRows: asked.length });
    };
    return { asked, settings: createKnownSettings(ask, () => tellsChanges) };
  };

  it('are read once for each file until they change', async () => {
    const { asked, settings } = read(true);
    await Promise.all([settings.of('a'), settings.of('a'), settings.of('b')]);
    assert.deepEqual(asked, ['a', 'b']);
    settings.changed();
    assert.equal((await settings.of('a')).previewRows, 3);
    settings.forget('a');
    await settings.of('a');
    assert.deepEqual(asked, ['a', 'b', 'a', 'a']);
  });

  it('are read each time from a client that does not report changes', async () => {
    const { asked, settings } = read(false);
    await settings.of('a');
    await settings.of('a');
    assert.deepEqual(asked, ['a', 'a']);
  });
});
