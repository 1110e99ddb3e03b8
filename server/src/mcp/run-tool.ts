import { spawn } from 'node:child_process';
import { allowedValues } from '../project/allowed-values.ts';
import { withinSize } from './cut-rows.ts';
import {
  type Permission,
  type Tool,
  ToolError,
  editsOf,
  furtherOperands,
  operandOf,
  optionsOf,
  textOf,
} from './tool.ts';
import { workspaceFile } from './workspace-file.ts';

/** Of a call whose command has ended. */
export interface ToolAnswer {
  /** The JSON of the command; a list is `items`. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** What the command says beside its answer. */
  readonly notes: string;
}

/** What calls run on. */
export interface ToolHost {
  /** The folder of the workspace, links followed. */
  readonly root: string;
  /** The program of the command line, such as `server/dist/cli.js`. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly allowed: ReadonlySet<Permission>;
  /** After which a question is ended; default: two minutes. */
  readonly mostMs?: number;
}

export interface ToolCall {
  readonly signal: AbortSignal;
  /** Called with what an import is doing, and how much of it is done, from 0 to 1. */
  readonly onProgress?: ((message: string, fraction: number | undefined) => void) | undefined;
}

/** Longer answers help no model: a limit or a condition makes them shorter. */
const mostCharacters = 400_000;
/** Of one argument; Windows takes little more for a whole command. */
const mostWord = 20_000;
/** Rows beyond this are cut; values of previews are 64 MB at most. */
const mostRowCharacters = 100_000_000;
/** A question that takes longer is ended. Imports take as long as they need. */
const twoMinutes = 120_000;
/** A command ends its transactions and processes before that. */
const graceMs = 5000;

/**
 * Runs the command of a tool in a process of its own. Rejects with a `ToolError` for arguments that do not fit, for a
 * failure of the command, and for an answer that is too long or takes too long; with the reason when it is cancelled.
 */
export async function runTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  host: ToolHost,
  call: ToolCall,
): Promise<ToolAnswer> {
  const place = (path: string): Promise<string> => workspaceFile(host.root, path, 'sources');
  const options = await optionsOf(tool, given, place);
  const operand = operandOf(tool, given);
  const edits = editsOf(tool, given);
  const input = edits ?? textOf(tool, given);
  const about = await subjectOf(tool, operand, host.root, { mayBeNew: input !== undefined && edits === undefined });
  const argv = [
    ...[tool.command ?? '', ...(tool.fixed ?? []), ...options, ...reachOption(tool, host)],
    ...(input === undefined || tool.takesEdits ? [] : ['--stdin']),
    ...(edits === undefined ? [] : ['--edits']),
    ...['--format=json', `--workspace=${host.root}`, '--', ...about, ...furtherOperands(tool, given)],
  ];
  if (argv.some((word) => word.length > mostWord))
    throw new ToolError(`An argument of ${tool.name} is longer than ${mostWord} characters. Make it shorter.`);
  const { code, stdout, stderr } = await runCommand({ argv, input }, tool, host, call);
  const answer = lastDocument(stdout);
  if (!isObject(answer) && !Array.isArray(answer)) throw new ToolError(stderr.trim() || `${tool.name} gave no answer.`);
  if (isObject(answer) && isObject(answer['error'])) throw new ToolError(JSON.stringify(answer['error']));
  if (code === 2) throw new ToolError(stderr.trim());
  const structured = isObject(answer) ? answer : { items: answer };
  return { structured: tool.hasRows ? withinSize(structured, mostCharacters) : structured, notes: stderr.trim() };
}

/** What a command is about: a file by its absolute path, a data source by its name, the folder, or nothing. */
async function subjectOf(
  { operand: kind, isAboutFolder }: Tool,
  operand: string | undefined,
  root: string,
  options: { readonly mayBeNew: boolean },
): Promise<readonly string[]> {
  if (operand === undefined) return isAboutFolder ? [root] : [];
  if (kind === 'source') return [operand];
  return [await workspaceFile(root, operand, kind === 'file' ? 'graph' : 'sources', options)];
}

/** Where sources may be read, problems are those of their present tables, and effects those on their present rows. */
function reachOption({ command }: Tool, { allowed }: ToolHost): readonly string[] {
  const mayReach = allowed.has('reach');
  if ((command === 'validate' || command === 'propose') && mayReach) return ['--online'];
  return command === 'effect' && !mayReach ? ['--offline'] : [];
}

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runCommand(
  { argv, input }: { readonly argv: readonly string[]; readonly input: string | undefined },
  tool: Tool,
  host: ToolHost,
  { signal, onProgress }: ToolCall,
): Promise<Finished> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [host.program, ...argv], {
      cwd: host.root,
      env: environmentOf(tool, host),
      stdio: 'pipe',
      windowsHide: true,
    });
    // A command that does not read it may have ended before.
    child.stdin.on('error', () => undefined).end(input);
    let [stdout, stderr] = ['', ''];
    let reason: unknown;
    let kill: NodeJS.Timeout | undefined;
    const end = (why: unknown): void => {
      if (reason !== undefined) return;
      reason = why;
      child.kill('SIGTERM');
      kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
    };
    const stop = (): void => end(signal.reason);
    const { mostMs = twoMinutes } = host;
    signal.addEventListener('abort', stop, { once: true });
    const limit = tool.writes
      ? undefined
      : setTimeout(() => end(new ToolError(`${tool.name} was ended after ${mostMs / 1000} s. Ask for less.`)), mostMs);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (onProgress) tellProgress(chunk, onProgress);
      if (stdout.length > (tool.hasRows ? mostRowCharacters : mostCharacters) && !tool.writes)
        end(new ToolError(`The answer is longer than ${mostCharacters} characters: ask for less, such as a limit.`));
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < mostCharacters) stderr += chunk;
    });
    const finish = (): void => {
      signal.removeEventListener('abort', stop);
      clearTimeout(limit);
      clearTimeout(kill);
    };
    child.once('error', (error) => {
      finish();
      reject(error);
    });
    child.once('close', (code) => {
      finish();
      if (reason === undefined) resolve({ code, stdout, stderr });
      else reject(reason as Error);
    });
  });
}

/** The parts of an environment that a program needs to run; all others may be secrets. */
const harmless =
  /^(PATH|PATHEXT|HOME|HOMEDRIVE|HOMEPATH|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|TMPDIR|TEMP|TMP|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|LANG|LC_\w+|TZ|ELECTRON_RUN_AS_NODE|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/i;

/** Of the editor: the way out, and the values that a person has allowed. */
const ofEditor = /^(HTTPS?_PROXY|NO_PROXY|ALL_PROXY|ENTITY_GRAPH_ALLOWED_VALUES)$/i;

/** Only what reaches data sources knows the environment, which may hold secrets; of an editor's, what it allows. */
function environmentOf(tool: Tool, { root, environment, allowed }: ToolHost): NodeJS.ProcessEnv {
  const mayReach = allowed.has('reach');
  const always = {
    NO_COLOR: '1',
    ENTITY_GRAPH_WITHIN: root,
    ...(!mayReach && { ENTITY_GRAPH_OFFLINE: '1' }),
    ...(!(tool.mayWrite && allowed.has('write')) && { ENTITY_GRAPH_SOURCES_READ_ONLY: '1' }),
  };
  const reaches = mayReach && (tool.needs === 'reach' || tool.mayReach === true);
  const ofPerson = allowedValues(environment);
  if (reaches && !ofPerson) return { ...environment, ...always };
  const variables = (ofPerson ?? []).flatMap(({ value, name }) => (value === 'env' ? [name] : []));
  const isKept = (name: string): boolean =>
    harmless.test(name) || (reaches && (ofEditor.test(name) || variables.includes(name)));
  const kept = Object.entries(environment).filter(([name]) => isKept(name));
  return { ...Object.fromEntries(kept), ...always };
}

/** Imports print a document a line: progress, then the summary. */
function lastDocument(stdout: string): unknown {
  for (const text of [stdout, stdout.trimEnd().split('\n').at(-1) ?? '']) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The other form.
    }
  }
  return undefined;
}

function tellProgress(chunk: string, onProgress: NonNullable<ToolCall['onProgress']>): void {
  for (const line of chunk.split('\n')) {
    if (!line.startsWith('{"type":"progress"')) continue;
    const told = lastDocument(line);
    if (!isObject(told)) continue;
    const { message, fraction } = told;
    onProgress(String(message), typeof fraction === 'number' ? fraction : undefined);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
