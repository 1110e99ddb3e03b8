import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ciCommand } from '../../../server/src/cli/commands/ci.ts';
import { projectFolder } from '../../support/vscode-host.ts';

const folder = join(projectFolder, 'samples/ci');
const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

describe('samples/ci', () => {
  for (const [name, text] of texts) {
    it(`${name} runs ci with options that it has`, () => {
      const used = [...text.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, option]) => option);
      const known = ciCommand.options.map((option) => option.name);
      assert.ok(used.length > 0 && /cli\.js" ci /.test(text));
      assert.deepEqual(
        used.filter((option) => !known.includes(option ?? '')),
        [],
      );
    });
  }

  it('workflows are YAML without errors', () => {
    const workflows = texts.filter(([name]) => name.endsWith('.yml'));
    assert.equal(workflows.length, 2);
    for (const [name, text] of workflows) assert.deepEqual(parseDocument(text).errors, [], name);
  });
});
