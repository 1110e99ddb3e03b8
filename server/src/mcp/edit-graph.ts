import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeFileAtomic } from '../files/write-atomic.ts';
import { type ToolAnswer, type ToolCall, type ToolHost, runTool } from './run-tool.ts';
import { type Tool, ToolError, editsOf, operandOf, optionsOf, textOf } from './tool.ts';
import { workspaceFile } from './workspace-file.ts';

type RunTool = typeof runTool;

/** The tools that are no command, or more than one. */
export const localTools: Readonly<Record<string, RunTool>> = {
  read_graph: readGraph,
  propose_edit: async (...call) => (await proposed(...call)).answer,
  apply_edit: applyEdit,
};

async function readGraph(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { root }: ToolHost,
): Promise<ToolAnswer> {
  const file = await graphFile(tool, given, root);
  const bytes = await bytesOf(file);
  if (!bytes) throw new ToolError(`There is no file ${file}. list_graphs lists them.`);
  if (bytes.length > mostBytes)
    throw new ToolError(`${file} has ${bytes.length} bytes; texts of at most ${mostBytes} are read.`);
  return { structured: { file, hash: hashOf(bytes), text: textIn(file, bytes) }, notes: '' };
}

/** Longer texts help no model, and are edited by a person. */
const mostBytes = 400_000;

/** Throws a `ToolError` for bytes that are no UTF-8, which an edit would lose. */
function textIn(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError(`${file} is not encoded in UTF-8, so it is not read: a person saves it as UTF-8 first.`);
  }
}

/** Edits are applied one after the other, so that each sees the text of the one before. */
let lastEdit: Promise<unknown> = Promise.resolve();

function applyEdit(...call: Parameters<RunTool>): Promise<ToolAnswer> {
  const mine = lastEdit.then(
    () => applyOne(...call),
    () => applyOne(...call),
  );
  lastEdit = mine;
  return mine;
}

async function applyOne(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  host: ToolHost,
  call: ToolCall,
): Promise<ToolAnswer> {
  const { baseHash, allowErrors } = given;
  // Refuses what does not fit.
  await optionsOf(tool, given, (path) => workspaceFile(host.root, path, 'sources'));
  const file = await graphFile(tool, given, host.root);
  const before = await bytesOf(file);
  refuseStale(file, before, baseHash);
  if (before) textIn(file, before);
  const { answer, text } = await proposed(tool, given, host, call);
  const { structured, notes } = answer;
  if (allowErrors !== true && structured['hasNewErrors'] === true) {
    const refusal =
      'Nothing was written: the text has errors that were not there before. Mend them, or give allowErrors.';
    return {
      structured: { ...structured, written: false, hash: before ? hashOf(before) : null },
      notes: [refusal, notes].filter((each) => each !== '').join('\n'),
    };
  }
  call.signal.throwIfAborted();
  // The edits are of the text that was read, if it is still there.
  refuseStale(file, await bytesOf(file), baseHash);
  const written = given['edits'] && before?.subarray(0, 3).equals(byteOrderMark) ? `\uFEFF${text}` : text;
  await writeFileAtomic(file, written);
  return { structured: { ...structured, written: true, hash: hashOf(Buffer.from(written)) }, notes };
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** What a text or edits would do, with the whole text. Rejects as `runTool`. */
async function proposed(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  host: ToolHost,
  call: ToolCall,
): Promise<{ readonly answer: ToolAnswer; readonly text: string }> {
  await graphFile(tool, given, host.root);
  const whole = textOf(tool, given);
  if (whole === undefined && editsOf(tool, given) === undefined)
    throw new ToolError(`${tool.name} needs text, the whole new text, or edits, which are edits of what it means.`);
  // The command writes nothing, so its time is limited.
  const { writes: _, ...asked } = tool;
  const answer = await runTool(asked, given, host, call);
  return { answer, text: whole ?? String(answer.structured['text']) };
}

/** The absolute path; the file may be new. Rejects with a `ToolError` for other files, and for links. */
async function graphFile(tool: Tool, given: Readonly<Record<string, unknown>>, root: string): Promise<string> {
  const path = operandOf(tool, given) ?? '';
  const file = await workspaceFile(root, path, 'graph', { mayBeNew: true });
  const found = await lstat(resolve(root, path)).catch(() => undefined);
  if (found && !found.isFile()) throw new ToolError(`${path} is no plain file.`);
  return file;
}

function refuseStale(file: string, now: Buffer | undefined, baseHash: unknown): void {
  const hash = now && hashOf(now);
  if (hash === baseHash || (hash === undefined && baseHash === null)) return;
  const why =
    hash === undefined
      ? 'it does not exist (any more)'
      : baseHash === undefined
        ? 'it exists, and baseHash is missing'
        : 'it has changed since it was read';
  throw new ToolError(`stale-text: ${file} was not written: ${why}. Read it again with read_graph.`);
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
