import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { namesInside } from '../../../server/src/mcp/workspace-file.ts';

const systems = {
  Windows: {
    rules: win32,
    root: 'C:\\models\\graphs',
    inside: [
      'shop.entity.yaml',
      'sub\\shop.entity.yaml',
      'sub/shop.entity.yaml',
      'sub\\..\\shop.entity.yaml',
      'C:\\models\\graphs\\shop.entity.yaml',
      'c:\\MODELS\\Graphs\\shop.entity.yaml',
      'C:/models/graphs/shop.entity.yaml',
      '..\\graphs\\shop.entity.yaml',
      'SHOP~1.entity.yaml',
      'console.entity.yaml',
      'nulls.entity.yaml',
      '..shop.entity.yaml',
    ],
    outside: [
      '..\\shop.entity.yaml',
      '../shop.entity.yaml',
      'sub\\..\\..\\shop.entity.yaml',
      '\\shop.entity.yaml',
      '/shop.entity.yaml',
      'C:\\models\\shop.entity.yaml',
      'C:\\models\\graphs2\\shop.entity.yaml',
      'C:\\models\\GRAPHS~1\\shop.entity.yaml',
      'D:\\models\\graphs\\shop.entity.yaml',
      'D:shop.entity.yaml',
      '\\\\server\\share\\shop.entity.yaml',
      '//server/share/shop.entity.yaml',
      '\\\\localhost\\C$\\models\\graphs\\shop.entity.yaml',
      '\\\\?\\C:\\models\\graphs\\shop.entity.yaml',
      '\\\\?\\UNC\\server\\share\\shop.entity.yaml',
      '\\\\.\\C:\\models\\graphs\\shop.entity.yaml',
      '\\\\.\\pipe\\shop.entity.yaml',
      'con.entity.yaml',
      'NUL.entity.yaml',
      'nul .entity.yaml',
      'sub\\Aux\\shop.entity.yaml',
      'COM1.entity.yaml',
      'lpt\u00b2.entity.yaml',
      'CONIN$.entity.yaml',
      'shop.csv:other.entity.yaml',
      'sub:stream\\shop.entity.yaml',
      'node_modules.\\shop.entity.yaml',
      '.git \\shop.entity.yaml',
      '.. \\shop.entity.yaml',
      'shop.entity.yaml.',
    ],
  },
  'other systems': {
    rules: posix,
    root: '/models/graphs',
    inside: [
      'shop.entity.yaml',
      '/models/graphs/shop.entity.yaml',
      'sub/../shop.entity.yaml',
      'con.entity.yaml',
      'a:b.entity.yaml',
      '..\\shop.entity.yaml',
    ],
    outside: [
      '../shop.entity.yaml',
      '/models/graphs2/shop.entity.yaml',
      '/models/Graphs/shop.entity.yaml',
      '//models/shop.entity.yaml',
    ],
  },
} as const;

describe('a file of the workspace of agents', () => {
  for (const [system, { rules, root, inside, outside }] of Object.entries(systems)) {
    for (const path of inside)
      it(`may be ${path} on ${system}`, () => assert.equal(namesInside(path, root, rules), true));
    for (const path of outside)
      it(`is not ${path} on ${system}`, () => assert.equal(namesInside(path, root, rules), false));
  }

  it('is not on another drive or share than a workspace on a share', () => {
    const root = '\\\\server\\share\\graphs';
    assert.equal(namesInside('shop.entity.yaml', root, win32), true);
    for (const path of [
      'C:\\graphs\\shop.entity.yaml',
      '\\\\server\\other\\graphs\\shop.entity.yaml',
      '..\\shop.entity.yaml',
    ])
      assert.equal(namesInside(path, root, win32), false, path);
  });
});
