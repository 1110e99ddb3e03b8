import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { type DocPage, docPages, projectRoot, readDocPage } from '../../support/doc-pages.ts';

/** It contains citations of missing targets on purpose. */
const ownPath = 'test/unit/docs/citations.test.ts';

/** Folders with files that may cite a page. */
const folders = [
  'client',
  'server',
  'webview',
  'protocol',
  'test',
  'bench',
  'scripts',
  'schemas',
  'syntaxes',
  'samples',
  'l10n',
];
const generated = new Set(['node_modules', 'dist', '.cache', '.entity-graph', 'data']);
const textFile = /\.(?:[cm]?[jt]s|json|ya?ml|css|html|md)$/;

/** A page with or without anchor, such as docs and then `/rules.md#yaml-syntax`. */
const citation = /\bdocs\/((?:[a-z0-9-]+\/)?[a-z0-9-]+\.md)(?:#([\p{L}\p{N}_-]+))?/gu;

/** A rule cited by its number, as in `semantics 4.2` or `see section 4.2`. */
const numberedCitation = /\b(?:semantics|see section) (\d+(?:\.\d+)?)/gi;

/** A rule cited by number on a page that is not part of the project. */
const foreignCitation = /\bdesign(?:\.md|(?:'s)? rules? \d|,? §)/i;

const pages: ReadonlyMap<string, DocPage> = new Map([...docPages()].map(([path, text]) => [path, readDocPage(text)]));
const index = readDocPage(docPages().get('docs/semantics.md') ?? '');

describe('readDocPage', () => {
  it('creates heading anchors like GitHub', () => {
    const { anchors } = readDocPage(
      '# A `b` & *c*, d.\n## A b\n```\n# no heading\n```\n## A b\n### 4.1 Größe_x → [y](z.md)\n',
    );
    assert.deepEqual([...anchors], ['a-b--c-d', 'a-b', 'a-b-1', '41-größe_x--y']);
  });
});

describe('brokenTarget', () => {
  it('reports missing pages and anchors', () => {
    assert.equal(brokenTarget('docs/semantics.md', '1-files'), undefined);
    assert.equal(
      brokenTarget('docs/semantics.md', 'no-such-rule'),
      'docs/semantics.md has no heading for #no-such-rule',
    );
    assert.equal(brokenTarget('docs/nothing.md', undefined), 'docs/nothing.md does not exist');
  });
});

describe('docs', () => {
  it('links lead to existing pages and anchors', () => {
    const broken = [...pages].flatMap(([path, { links }]) =>
      links
        .filter((link) => !/^[a-z]+:/i.test(link))
        .map((link) => brokenLink(path, link))
        .filter((problem) => problem !== undefined),
    );
    assert.deepEqual(broken, []);
  });

  it('pages are not larger than 40 kB', () => {
    const sizes = [...docPages()].map(([path, text]) => ({ path, size: Buffer.byteLength(text) }));
    assert.deepEqual(
      sizes.filter(({ size }) => size > 40_000),
      [],
    );
  });

  it('citations in code, tests and docs lead to existing pages and anchors', () => {
    const found = citedFiles().flatMap((path) =>
      [...readText(path).matchAll(citation)].map(([, page, anchor]) => ({ path, page: `docs/${page}`, anchor })),
    );
    assert.ok(found.some(({ page, anchor }) => page === 'docs/semantics.md' && anchor !== undefined));
    const broken = found.flatMap(({ path, page, anchor }) => {
      const problem = brokenTarget(page, anchor);
      return problem === undefined ? [] : `${path}: ${problem}`;
    });
    assert.deepEqual(broken, []);
  });

  it('rules cited by their numbers exist', () => {
    const numbers = new Set(index.headings.map(({ text }) => /\d+(?:\.\d+)?/.exec(text)?.[0]));
    const found = citedFiles().flatMap((path) =>
      [...readText(path).matchAll(numberedCitation)].map(([, number]) => ({ path, number })),
    );
    assert.ok(found.length > 0);
    assert.deepEqual(
      found.filter(({ number }) => !numbers.has(number)),
      [],
    );
  });

  it('docs/semantics.md lists the headings of its pages in their order, each with a link to it', () => {
    const listed = index.headings.filter(({ depth }) => depth > 1).map(({ depth, text }) => `${depth} ${text}`);
    const written = [...pages].flatMap(([path, { headings }]) =>
      path.startsWith('docs/semantics/')
        ? headings
            .filter(({ depth }) => depth > 1)
            .map(({ depth, anchor, text }) => {
              const title = text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
              return { number: title, entry: `${depth} [${title}](${path.slice('docs/'.length)}#${anchor})` };
            })
        : [],
    );
    const inOrder = written.toSorted((one, other) => one.number.localeCompare(other.number, 'en', { numeric: true }));
    assert.ok(listed.length > 90);
    assert.deepEqual(
      listed,
      inOrder.map(({ entry }) => entry),
    );
  });

  it('named source files exist', () => {
    const files = [...citedFiles(), ownPath];
    const exists = (name: string): boolean => files.some((path) => path === name || path.endsWith(`/${name}`));
    const named = [...docPages()].flatMap(([page, text]) =>
      [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|mjs|cjs))`/g)].map(([, name = '']) => ({ page, name })),
    );
    assert.ok(named.length > 100);
    const missing = named.filter(({ name }) => !exists(name)).map(({ page, name }) => `${page}: ${name}`);
    assert.deepEqual(missing, []);
  });

  it('cited rules exist', () => {
    const foreign = citedFiles().filter((path) => foreignCitation.test(readText(path)));
    assert.deepEqual(foreign, []);
  });
});

/** Why a relative link of a page is broken. */
function brokenLink(path: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  const resolved = target === '' ? path : posix.join(posix.dirname(path), decodeURI(target));
  const problem = brokenTarget(resolved, anchor);
  return problem && `${path}: ${problem}`;
}

/** Why a link or a citation is broken. */
function brokenTarget(path: string, anchor: string | undefined): string | undefined {
  const page = pages.get(path);
  if (!page) return existsSync(projectRoot + path) ? undefined : `${path} does not exist`;
  return anchor === undefined || page.anchors.has(anchor) ? undefined : `${path} has no heading for #${anchor}`;
}

function citedFiles(): readonly string[] {
  const atRoot = readdirSync(projectRoot).filter((name) => textFile.test(name) && name !== 'package-lock.json');
  return [
    ...atRoot,
    ...[...pages.keys()].filter((path) => path.startsWith('docs/')),
    ...folders.flatMap(filesBelow),
  ].filter((path) => path !== ownPath);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(projectRoot + folder, { withFileTypes: true }).flatMap((entry) => {
    if (generated.has(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() && textFile.test(entry.name) ? [path] : [];
  });
}

function readText(path: string): string {
  return readFileSync(projectRoot + path, 'utf8');
}
