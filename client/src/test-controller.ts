import {
  type CancellationToken,
  CancellationTokenSource,
  Disposable,
  Location,
  RelativePattern,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunProfile,
  TestRunProfileKind,
  TestRunRequest,
  Uri,
  WorkspaceEdit,
  l10n,
  tests,
  workspace,
} from 'vscode';
import { createDebouncer } from '../../protocol/debouncer.ts';
import type { TestFileView, TestResultView, TestRunView } from '../../protocol/graph-tests.ts';
import { printableLine } from '../../protocol/printable-text.ts';
import { sentence } from '../../protocol/sentence.ts';
import { startContinuousRun } from './continuous-run.ts';
import type { GraphLanguage } from './language-client.ts';
import { toRange } from './reveal-range.ts';

/** Pause in typing before the tests of a file are listed again. */
const listingDelayMs = 300;

/** Pause in typing before watched tests run again. */
const watchingDelayMs = 700;
const watchedFiles = '**/*.{yaml,yml,json,csv,sql}';

/** Tests with given rows. */
export const testFiles = '**/*.entity.test.{yaml,yml}';

/** Lists, runs and updates the tests with given rows of the open folders. */
// eslint-disable-next-line max-lines-per-function -- Runs, watched runs and listings share one controller of VS Code and its items.
export function openTestController(language: GraphLanguage, onError: (error: unknown) => void): Disposable {
  const controller = tests.createTestController('entityGraph.tests', l10n.t('Entity Graph'));
  let isDisposed = false;
  // Requests that are pending when the window closes get no response.
  const fail = (error: unknown): void => {
    if (!isDisposed) onError(error);
  };
  const guarded = (work: Promise<void>): void => void work.catch(fail);

  async function listAll(): Promise<void> {
    const files = await language.request('entityGraph/graphTests', {});
    controller.items.replace(files.map((file) => fileItem(controller, file)));
  }

  async function listFile(uri: Uri): Promise<void> {
    const [file] = await language.request('entityGraph/graphTests', { uri: uri.toString() });
    // Keeps the results of tests that are still there.
    const known = file && controller.items.get(file.uri);
    if (!file) controller.items.delete(uri.toString());
    else if (known) updateItem(controller, known, file);
    else controller.items.add(fileItem(controller, file));
  }

  const changed = new Set<string>();
  const listing = createDebouncer(listingDelayMs, () => {
    const uris = [...changed];
    changed.clear();
    for (const uri of uris) guarded(listFile(Uri.parse(uri)));
  });
  const listSoon = (uri: Uri): void => {
    changed.add(uri.toString());
    listing.schedule();
  };

  /** Watch mode: each repetition is a separate run in the results. */
  function watchTests(request: TestRunRequest, token: CancellationToken): void {
    const runOf = (files: ReadonlySet<string> | undefined, signal: AbortSignal): Promise<void> => {
      const include = [...chosen(controller, request)].flatMap(([file, items]) =>
        files === undefined || files.has(file.id) ? items : [],
      );
      if (include.length === 0) return Promise.resolve();
      const cancellation = new CancellationTokenSource();
      signal.addEventListener('abort', () => cancellation.cancel(), { once: true });
      const again = new TestRunRequest(include, request.exclude, request.profile, false);
      return runTests(again, cancellation.token, { use: showOnly }).finally(() => cancellation.dispose());
    };
    const continuous = startContinuousRun(runOf, { delayMs: watchingDelayMs, onError: fail });
    const changed = (uri: Uri): void => {
      if (isTestFile(uri)) continuous.changed(uri.toString());
      else if (mayChangeTests(uri)) continuous.changed(undefined);
    };
    const files = (workspace.workspaceFolders ?? []).map((folder) =>
      workspace.createFileSystemWatcher(new RelativePattern(folder, watchedFiles)),
    );
    const watching = Disposable.from(
      ...files.flatMap((each) => [
        each,
        each.onDidCreate(changed),
        each.onDidChange(changed),
        each.onDidDelete(changed),
      ]),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) changed(document.uri);
      }),
      token.onCancellationRequested(() => {
        continuous.stop();
        watching.dispose();
      }),
    );
  }

  async function runTests(request: TestRunRequest, token: CancellationToken, how: HowToRun): Promise<void> {
    const { use, online = false } = how;
    const run = controller.createTestRun(request);
    try {
      for (const [file, items] of chosen(controller, request)) {
        if (token.isCancellationRequested) break;
        for (const item of items) run.started(item);
        const names = items.length === file.children.size ? undefined : items.map(({ id }) => id);
        const params = { uri: file.id, names, online };
        // A cancelled request rejects.
        const outcome = await language.request('entityGraph/runTests', params, token).catch((error: unknown) => {
          if (!token.isCancellationRequested) throw error;
        });
        if (!outcome || token.isCancellationRequested) for (const item of items) run.skipped(item);
        else if (outcome.ok) {
          for (const item of items) report(run, item, outcome.value.tests);
          await use(file, outcome.value);
        } else {
          const { message, remedy } = outcome.error;
          for (const item of items)
            run.errored(item, new TestMessage(`${sentence(message)} ${remedy ?? ''}`.trimEnd()));
        }
      }
    } finally {
      run.end();
    }
  }

  const profile = controller.createRunProfile(
    l10n.t('Run'),
    TestRunProfileKind.Run,
    (request, token) =>
      request.continuous === true ? watchTests(request, token) : runTests(request, token, { use: showOnly }),
    true,
    undefined,
    true,
  );
  const updating: TestRunProfile = controller.createRunProfile(
    l10n.t('Update Expected'),
    TestRunProfileKind.Run,
    (request, token) => runTests(request, token, { use: writeExpected }),
    false,
  );
  const online: TestRunProfile = controller.createRunProfile(
    l10n.t('Run Online'),
    TestRunProfileKind.Run,
    (request, token) => runTests(request, token, { use: showOnly, online: true }),
    false,
  );
  controller.refreshHandler = listAll;
  const watchers = (workspace.workspaceFolders ?? []).map((folder) =>
    workspace.createFileSystemWatcher(new RelativePattern(folder, testFiles)),
  );
  guarded(listAll());
  const disposed = new Disposable(() => {
    isDisposed = true;
    listing.cancel();
  });
  return Disposable.from(
    ...[disposed, controller, profile, updating, online, ...watchers],
    ...watchers.flatMap((watcher) => [
      watcher.onDidCreate(listSoon),
      watcher.onDidChange(listSoon),
      watcher.onDidDelete(listSoon),
    ]),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && isTestFile(document.uri)) listSoon(document.uri);
    }),
    workspace.onDidChangeWorkspaceFolders(() => guarded(listAll())),
  );
}

interface HowToRun {
  readonly use: UseRun;
  /** The SQL of database servers runs there, read-only, on the given rows. */
  readonly online?: boolean;
}

/** Handles the result of a file. */
type UseRun = (file: TestItem, run: TestRunView) => Promise<void>;

const showOnly: UseRun = () => Promise.resolve();

/** Writes the actual results into the file as one undo step, unsaved, so that the user can review the difference. */
const writeExpected: UseRun = async ({ uri }, { version, edits }) => {
  if (!uri || edits.length === 0) return;
  const document = await workspace.openTextDocument(uri);
  // Edited meanwhile: the places have moved.
  if (version !== undefined && version !== document.version) return;
  const change = new WorkspaceEdit();
  for (const { range, newText } of edits) change.replace(uri, toRange(range), newText);
  await workspace.applyEdit(change);
};

/** Entity graphs and data sources, and files of rows. */
function mayChangeTests({ path }: Uri): boolean {
  return (
    !path.includes('/.entity-graph/') &&
    /(?:\.entity|\/entity-sources)\.(?:ya?ml|json)$|\.csv$|\/queries\/[^/]+\.sql$/i.test(path)
  );
}

function isTestFile({ path }: Uri): boolean {
  return /\.entity\.test\.ya?ml$/i.test(path);
}

function fileItem(controller: TestController, file: TestFileView): TestItem {
  const uri = Uri.parse(file.uri);
  const item = controller.createTestItem(file.uri, workspace.asRelativePath(uri), uri);
  updateItem(controller, item, file);
  return item;
}

function updateItem(controller: TestController, item: TestItem, file: TestFileView): void {
  const children = file.tests.map(({ name, range }) => {
    const child = item.children.get(name) ?? controller.createTestItem(name, name, item.uri);
    child.range = toRange(range);
    return child;
  });
  item.children.replace(children);
}

/** The tests of a request, by file. */
function chosen(controller: TestController, { include, exclude = [] }: TestRunRequest): Map<TestItem, TestItem[]> {
  const found = new Map<TestItem, TestItem[]>();
  const add = (item: TestItem): void => {
    if (exclude.includes(item)) return;
    if (!item.parent) item.children.forEach(add);
    else if (!found.get(item.parent)?.includes(item)) found.set(item.parent, [...(found.get(item.parent) ?? []), item]);
  };
  if (include) include.forEach(add);
  else controller.items.forEach(add);
  return found;
}

/** A test that was not run is skipped, with the reason beside it, and never green. */
function report(run: TestRun, item: TestItem, results: readonly TestResultView[]): void {
  const result = results.find(({ name }) => name === item.id);
  item.description = result?.reason ?? '';
  if (!result || result.outcome === 'not run') {
    const reason = result?.reason ?? l10n.t('The file has no such test any more.');
    run.appendOutput(`${printableLine(`${item.label}: ${reason}`)}\r\n`, undefined, item);
    return run.skipped(item);
  }
  if (result.outcome === 'passed') return run.passed(item, result.durationMs);
  const messages = result.failures.map(({ message, range, expected, actual }) => {
    const told =
      expected === undefined || actual === undefined
        ? new TestMessage(message)
        : TestMessage.diff(message, expected, actual);
    if (item.uri) told.location = new Location(item.uri, toRange(range));
    return told;
  });
  run.failed(item, messages, result.durationMs);
}
