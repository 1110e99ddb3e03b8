import type { TestFileView, TestRunView } from '../../../../protocol/graph-tests.ts';
import type { testRequests } from '../../../../protocol/requests/test-requests.ts';
import type { GraphTests } from '../../graph-tests/graph-tests.ts';
import { testName } from '../../graph-tests/test-name.ts';
import { type LineIndex, createLineIndex } from '../../model/line-index.ts';
import type { GraphTestReport } from '../../operations/graph-tests/test-report.ts';
import { listTestFiles } from '../../project/list-entity-files.ts';
import { readGraphFile } from '../../project/open-project.ts';
import { diskPath, uriOfPath } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import type { Handlers } from './request-handlers.ts';
import { untrusted } from './source-operations.ts';

/** Requests of the Test Explorer, and of *Create Test from Rows*. */
export function createTestRequests(
  server: LanguageServer,
  folders: () => readonly string[],
): Handlers<typeof testRequests> {
  async function testsOf(path: string): Promise<readonly TestFileView[]> {
    const { parseGraphTests } = await import('../../graph-tests/parse-graph-tests.ts');
    // An unreadable file has no tests.
    const file = await readGraphFile(path, server.project).catch(() => undefined);
    if (!file) return [];
    return [{ uri: uriOfPath(path), tests: testViews(parseGraphTests(file.text), createLineIndex(file.text)) }];
  }

  /** Unsaved texts of graphs, data sources and tests count. */
  const openTexts = () =>
    server.documents.files().flatMap(({ path, text }) => (path === undefined ? [] : { path, text }));
  const versionOf = (path: string): number | undefined =>
    server.documents.files().find((open) => open.path === path)?.version;

  return {
    async 'entityGraph/rowsForTest'({ uri, wanted, limit, progressToken }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../../operations/operation-error.ts');
      const { readTestRows } = await import('../../operations/graph-tests/read-test-rows.ts');
      return toOutcome(async () => {
        const file = await readGraphFile(diskPath(uri), server.project);
        const onProgress = server.reporting(progressToken);
        return readTestRows(file, wanted, server.project, { signal, limit, onProgress });
      }, signal);
    },
    async 'entityGraph/newTest'({ uri, test }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../../operations/operation-error.ts');
      const { createTest } = await import('../../operations/graph-tests/create-test.ts');
      return toOutcome(async () => {
        const services = await server.services();
        const graph = await readGraphFile(diskPath(uri), server.project);
        const { path, ...written } = await createTest(graph, test, server.project, (file, only) =>
          services.runTests({ file, texts: openTexts(), only }, signal),
        );
        const version = versionOf(path);
        return { uri: uriOfPath(path), version, ...written };
      }, signal);
    },
    async 'entityGraph/graphTests'({ uri }, signal) {
      if (uri !== undefined) return testsOf(diskPath(uri));
      const listed = await Promise.all(folders().map((folder) => listTestFiles(folder).catch(() => [])));
      const found: TestFileView[] = [];
      for (const path of new Set(listed.flat())) {
        signal.throwIfAborted();
        found.push(...(await testsOf(path)));
      }
      return found;
    },
    async 'entityGraph/runTests'({ uri, names, online }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../../operations/operation-error.ts');
      const outcome = await toOutcome(async () => {
        const file = await readGraphFile(diskPath(uri), server.project);
        const job = { file, texts: openTexts(), only: names, isOnline: online };
        const run = await (await server.services()).runTests(job, signal);
        return { version: versionOf(file.path), run };
      }, signal);
      if (!outcome.ok) return outcome;
      const { version, run } = outcome.value;
      if (!run.ok) return run;
      return { ok: true, value: { version, ...runView(run.value) } };
    },
  };
}

function testViews({ tests }: GraphTests, lines: LineIndex): TestFileView['tests'] {
  return tests.map((test) => ({ name: testName(test), range: lines.range(test.name?.range ?? test.range) }));
}

function runView({ text, tests }: GraphTestReport): Omit<TestRunView, 'version'> {
  const lines = createLineIndex(text);
  return {
    tests: tests.map(({ name, outcome, reason, failures, durationMs }) => ({
      name,
      outcome,
      durationMs,
      reason,
      failures: failures.map(({ message, range, expected, actual }) => ({
        message,
        range: lines.range(range),
        expected,
        actual,
      })),
    })),
    edits: tests.flatMap(({ failures }) =>
      failures.flatMap(({ edits = [] }) =>
        edits.map(({ start, end, text: newText }) => ({ range: lines.range({ start, end }), newText })),
      ),
    ),
  };
}
