import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import {
  type CancellationToken,
  type Disposable,
  CancellationError,
  CancellationTokenSource,
  Range,
  Uri,
  WorkspaceEdit,
  l10n,
  window,
  workspace,
} from 'vscode';
import type { GraphEffect } from '../../protocol/graph-effect.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { isGraphPath, isOnCanvas } from './active-graph.ts';
import { fileName } from './import-messages.ts';
import type { GraphLanguage } from './language-client.ts';
import { progressWhenSlow } from './progress-when-slow.ts';
import type { ProposedEdits } from './proposed-edits.ts';
import { reportedRequest } from './reported-request.ts';
import { callTool, toolServerOf } from './tool-server.ts';

/** The part of VS Code 1.95 that gives agents tools; not in the types of the oldest version that is supported. */
interface ToolsApi {
  readonly lm?: { readonly registerTool?: (name: string, tool: LanguageModelTool) => Disposable };
  readonly LanguageModelTextPart?: new (text: string) => object;
  readonly LanguageModelToolResult?: new (content: readonly object[]) => object;
}

interface LanguageModelTool {
  invoke(call: { readonly input: Readonly<Record<string, unknown>> }, token: CancellationToken): Promise<object>;
}

/** As in `package.json`. */
const toolName = 'entity_graph_apply_edit';

/**
 * Offers agents the tool `apply_edit` (docs/agents.md): a person sees the edit with its effect, and applies or refuses
 * it; then it is one step of *Undo*. Does nothing where VS Code cannot give agents tools.
 */
export function offerAgentEdits(extensionUri: Uri, language: GraphLanguage, edits: ProposedEdits): Disposable {
  const { lm, LanguageModelTextPart, LanguageModelToolResult } = vscode as unknown as ToolsApi;
  if (!lm?.registerTool || !LanguageModelTextPart || !LanguageModelToolResult) return { dispose: () => undefined };
  /** One after the other, so that each sees the text of the one before. */
  let last: Promise<unknown> = Promise.resolve();
  return lm.registerTool(toolName, {
    async invoke({ input }, token) {
      const mine = last.catch(() => undefined).then(() => applyEdit({ extensionUri, language, edits }, input, token));
      last = mine;
      return new LanguageModelToolResult([new LanguageModelTextPart(JSON.stringify(await mine))]);
    },
  });
}

/** The answer of `propose_edit`. */
interface Proposal {
  readonly file: string;
  /** Of edits of meaning. */
  readonly text?: string;
  readonly edits: readonly { readonly range: vscode.Range; readonly newText: string }[];
  readonly hasNewErrors: boolean;
  readonly tests: readonly { readonly tests: readonly { readonly outcome: string }[] }[];
}

interface EditParts {
  readonly extensionUri: Uri;
  readonly language: GraphLanguage;
  readonly edits: ProposedEdits;
}

/** Rejects with words for the agent. */
async function applyEdit(
  { extensionUri, language, edits }: EditParts,
  { baseHash, allowErrors, ...asked }: Readonly<Record<string, unknown>>,
  token: CancellationToken,
): Promise<object> {
  if (!workspace.isTrusted) throw new Error('not-allowed: this workspace is not trusted.');
  const folder = await folderOf(asked['file']);
  const server = toolServerOf(extensionUri, folder);
  const answer = await callTool(server, 'propose_edit', asked, token);
  const proposal = answer as unknown as Proposal;
  const { file, hasNewErrors } = proposal;
  const before = await readUnlessStale(file, baseHash);
  if (hasNewErrors && allowErrors !== true) return { ...answer, written: false, hash: before ? hashOf(before) : null };
  const text = proposal.text ?? String(asked['text']);
  // As VS Code names it, whose folder may be a link.
  const uri = Uri.file(join(folder, relative(await realpath(folder), file)));
  const effect = before && isGraphPath(uri) ? await effectOf(language, uri, text, token) : undefined;
  const shown = { file: uri, isNew: !before, text, effect, facts: factsOf(proposal) };
  const isApplied = await edits.decide(shown, token);
  if (token.isCancellationRequested) throw new CancellationError();
  if (!isApplied)
    throw new Error(
      'refused: nothing was written, because a person has refused this edit. Ask what is wanted instead.',
    );
  const now = await readUnlessStale(file, baseHash);
  await write(uri, proposal, now ?? text);
  return { ...answer, effect, written: true, hash: hashOf(await readFile(file)) };
}

/** As *Compare with…* of the last import: it reads files, and otherwise only rows that are kept. */
async function effectOf(
  language: GraphLanguage,
  uri: Uri,
  proposed: string,
  token: CancellationToken,
): Promise<GraphEffect | { readonly error: Failure }> {
  const params = { uri: uri.toString(), base: 'last', proposed };
  const own = new CancellationTokenSource();
  const cancellation = token.onCancellationRequested(() => own.cancel());
  const title = l10n.t('Comparing {0}', fileName(uri));
  const outcome = await progressWhenSlow(language, title, (cancelled, report) => {
    cancelled.onCancellationRequested(() => own.cancel());
    return reportedRequest(language, 'entityGraph/compareTexts', params, { token: own.token, report });
  }).finally(() => cancellation.dispose());
  return outcome.ok ? outcome.value.effect : { error: outcome.error };
}

/** The workspace folder of a file, which need not be there; its tools refuse other files. Throws for no folder. */
async function folderOf(file: unknown): Promise<string> {
  const folders = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first] = folders;
  if (!first) throw new Error('not-allowed: no folder is open.');
  if (typeof file !== 'string' || folders.length === 1) return first.uri.fsPath;
  for (const { uri } of folders) {
    if (!isAbsolute(file)) {
      if (await realpath(Uri.joinPath(uri, file).fsPath).catch(() => undefined)) return uri.fsPath;
      continue;
    }
    // The tools name files by their own paths; the folder may be a link.
    for (const path of [uri.fsPath, await realpath(uri.fsPath).catch(() => uri.fsPath)])
      if (isBelow(file, path)) return uri.fsPath;
  }
  return first.uri.fsPath;
}

function isBelow(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== '' && !isAbsolute(path) && path.split(sep)[0] !== '..';
}

/** The bytes of a file, undefined for a new one. Rejects if it is not what the agent has read, also in an editor. */
async function readUnlessStale(file: string, baseHash: unknown): Promise<Buffer | undefined> {
  for (const { isDirty, uri } of workspace.textDocuments)
    if (isDirty && uri.scheme === 'file' && (await realpath(uri.fsPath).catch(() => uri.fsPath)) === file)
      throw stale(file, 'an editor has changes that are not saved, which a person saves or reverts first');
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes && (baseHash === undefined || baseHash === null)) return undefined;
  if (!bytes) throw stale(file, 'it does not exist (any more)');
  if (baseHash === undefined) throw stale(file, 'it exists, and baseHash is missing');
  if (hashOf(bytes) !== baseHash) throw stale(file, 'it has changed since it was read');
  return bytes;
}

/**
 * Edits a file that has these bytes, or creates it with a text: in one step of *Undo*, and saved, because tools read the
 * file.
 */
async function write(uri: Uri, { edits }: Proposal, content: Buffer | string): Promise<void> {
  const change = new WorkspaceEdit();
  if (typeof content === 'string') change.createFile(uri, { contents: Buffer.from(content) });
  else {
    // The editor may not have noticed yet that the file has changed.
    if (lines((await workspace.openTextDocument(uri)).getText()) !== lines(content.toString('utf8')))
      throw stale(uri.fsPath, 'the editor has another text');
    for (const { range, newText } of edits) {
      const { start, end } = range;
      change.replace(uri, new Range(start.line, start.character, end.line, end.character), newText);
    }
  }
  const isApplied = await workspace.applyEdit(change);
  const document = await workspace.openTextDocument(uri);
  if (!isApplied || !(await document.save())) throw new Error(`${uri.fsPath} was not written: the editor refused it.`);
  // Where *Undo* is at hand; the canvas has its own.
  if (!isOnCanvas(uri)) await window.showTextDocument(document, { preserveFocus: true });
}

/** An editor has no byte order mark, and one kind of line ends. */
function lines(text: string): string {
  return text.replace(/^\uFEFF/u, '').replaceAll(/\r\n?/gu, '\n');
}

function stale(file: string, why: string): Error {
  return new Error(`stale-text: ${file} was not written: ${why}. Read it again with read_graph.`);
}

function factsOf({ hasNewErrors, tests }: Proposal): readonly string[] {
  const outcomes = tests.flatMap(({ tests: each }) => each.map(({ outcome }) => outcome));
  const passed = outcomes.filter((outcome) => outcome === 'passed').length;
  return [
    ...(hasNewErrors ? [l10n.t('It has new errors.')] : []),
    ...(outcomes.length > 0 ? [l10n.t('{0} of {1} tests pass.', passed, outcomes.length)] : []),
  ];
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
