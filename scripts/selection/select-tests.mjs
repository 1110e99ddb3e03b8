import { posix } from 'node:path';
import { recordFile } from './called-sources.mjs';
import { closureOf, importersOf } from './import-graph.mjs';

/** Changes of these files may change any test. */
const anything = /^(package(-lock)?\.json|scripts\/|(.+\/)?tsconfig(\.base)?\.json)/;

/** No test depends on these files, which the linters read. `test/trino/*.txt` decide what runs of that part. */
const nothing =
  /^(bench(?!\/notes\/)|\.ci|\.github|\.vscode|docs\/images)\/|^(\.editorconfig|\.gitattributes|\.gitignore|\.prettier(ignore|rc\.json)|LICENSE)$|^test\/trino\/[^/]+\.txt$/;

const code = /^(client|server|webview|protocol|test)\/.+\.([cm]?[jt]s|json|css)$/;

/** Documents and data, on which those tests depend that name the file or a folder of it. */
const data =
  /^(docs|bench\/notes|samples|schemas|l10n|syntaxes|test\/(golden|data|servers))\/|^[^/]+\.md$|^package\.nls\.json$|^(eslint\.config\.mjs|\.dependency-cruiser\.cjs)$/;

const ofTests = /^test\/.+\.[cm]?[jt]s$/;

export const isTestFile = (file) => file.startsWith('test/') && file.endsWith('.test.ts');

/**
 * The test files to run after a change, by why they run:
 *
 * * new and changed tests, and those of which nothing was recorded;
 * * for a changed module, the tests that called a function in it, and the unit tests that import it, also through other
 *   modules. Where nobody called one, as it has no functions or is new, those of the modules that import it;
 * * for documents and data, the tests that name them.
 *
 * `everything` says why all tests run, as after changes of files about which nothing is known.
 * @param {{
 *   changed: readonly string[],
 *   files: readonly string[],
 *   record: Map<string, ReadonlySet<string>>,
 *   imports: Map<string, readonly string[]>,
 *   textOf: (file: string) => string,
 * }} project `files` are those that exist, `record` by test file or, for tests that share a process, by folder
 * @returns {{ everything?: string, tests: Map<string, string> }}
 */
export function selectTests({ changed, files, record, imports, textOf }) {
  const all = files.filter(isTestFile);
  const calledBy = (test) => record.get(test) ?? record.get(posix.dirname(test));
  const importers = importersOf(imports);
  const tests = new Map();
  const add = (test, why) => tests.has(test) || tests.set(test, why);
  let everything;

  function addTestsOf(file) {
    const { tests: found, isKnown } = testsOfModule(file);
    for (const test of found) add(test, `calls or imports ${file}`);
    if (!isKnown) everything ??= `nothing is known of ${file}`;
  }

  /** It is known if a test called it, or if a module imports it. */
  function testsOfModule(file) {
    const closure = closureOf(file, importers);
    const found = new Set(
      all.filter((test) => closure.has(test) && (test.startsWith('test/unit/') || isOfTests(file))),
    );
    let isKnown = closure.size > 1 || isTypesOnly(file);
    // Breadth first, and no further than to modules that were called.
    const seen = new Set([file]);
    for (const each of seen) {
      const callers = all.filter((test) => calledBy(test)?.has(each));
      for (const test of callers) found.add(test);
      if (callers.length > 0) isKnown = true;
      else for (const importer of importers.get(each) ?? []) seen.add(importer);
    }
    return { tests: found, isKnown };
  }

  /** The compiler proves changes of types. */
  function isTypesOnly(file) {
    return (
      files.includes(file) &&
      file.endsWith('.ts') &&
      !/^(export )?(async )?(function|const|let|class|enum)\b/m.test(textOf(file))
    );
  }

  function addTestsNaming(file) {
    const [top, next] = file.split('/');
    const folder = new RegExp(`['"\`/]${top === 'test' ? next : top}['"\`/]`);
    const isNamed = (text) => text.includes(posix.basename(file)) || folder.test(text);
    const naming = files.filter((each) => ofTests.test(each) && isNamed(codeOf(textOf(each))));
    for (const each of naming) {
      for (const found of closureOf(each, importers)) if (isTestFile(found)) add(found, `names ${file}`);
    }
  }

  for (const test of all) if (calledBy(test) === undefined) add(test, 'is not recorded');
  for (const file of changed) {
    if (file === recordFile || nothing.test(file)) continue;
    if (anything.test(file)) everything ??= `${file} has changed`;
    else if (isTestFile(file)) {
      if (files.includes(file)) add(file, 'has changed');
    } else if (data.test(file)) {
      addTestsNaming(file);
      if (importers.has(file)) addTestsOf(file);
    } else if (code.test(file)) addTestsOf(file);
    else everything ??= `nothing is known of ${file}`;
  }
  return { everything, tests };
}

const isOfTests = (file) => file.startsWith('test/');

/** Comments cite documents. */
const codeOf = (text) => text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
