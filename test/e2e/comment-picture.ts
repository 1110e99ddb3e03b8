import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';

/** Prints Markdown as HTML; it comes with the packager of extensions. */
interface MarkdownPrinter {
  render(markdown: string): string;
}

/** The comment of `entity-graph ci --effect` about two edits of the orders sample, as a forge would show it. */
export async function commentPicture(page: Page): Promise<Buffer> {
  const markdownIt = createRequire(import.meta.url)('markdown-it') as (options: object) => MarkdownPrinter;
  // The marker is a comment of HTML.
  const shown = markdownIt({ html: true }).render(await comment());
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>${styles}</style>
<article><header><strong>entity-graph</strong> commented</header><div>${shown}</div></article>`);
  return page.locator('article').screenshot();
}

/** The picture names the commit. */
const date = '2026-11-19T14:02:00Z';

async function comment(): Promise<string> {
  const folder = await folderWith({});
  try {
    const filter = (path: string): boolean => basename(path) !== '.entity-graph';
    cpSync(join(projectFolder, 'samples/order-to-cash'), folder, { recursive: true, filter });
    const git = (...args: readonly string[]): void =>
      void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
        cwd: folder,
        env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    const path = join(folder, 'order-to-cash.entity.yaml');
    const edited = readFileSync(path, 'utf8')
      .replace('{ column: ORT01, name: town }', '{ column: LAND1, name: town }')
      .replace('after: Send Invoice, within: 60d', 'after: Send Invoice, within: 30d');
    writeFileSync(path, edited);
    await runCommand(['ci', folder, '--effect', 'effect.md', '--base', 'main'], folder);
    return readFileSync(join(folder, 'effect.md'), 'utf8');
  } finally {
    await removeFolder(folder);
  }
}

const styles = `
body { margin: 0; background: #fff; color: #1f2328; font: 14px/1.5 system-ui, sans-serif; }
article { width: 860px; margin: 16px; border: 1px solid #d1d9e0; border-radius: 6px; }
header { padding: 8px 16px; border-bottom: 1px solid #d1d9e0; background: #f6f8fa; color: #59636e; }
header strong { color: #1f2328; }
div { padding: 0 16px 8px; }
h1, h2, h3 { padding-bottom: 4px; border-bottom: 1px solid #d1d9e0; line-height: 1.25; }
table { border-collapse: collapse; margin: 0 0 16px; }
th, td { padding: 4px 12px; border: 1px solid #d1d9e0; }
tr:nth-child(2n) { background: #f6f8fa; }
code { padding: 2px 5px; border-radius: 6px; background: #eff1f3; font: 12px ui-monospace, monospace; }`;
