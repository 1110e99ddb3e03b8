import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import {
  type Command,
  type ExitCode,
  type Invocation,
  type OptionSpec,
  UsageError,
  commonOptions,
  exitCodes,
} from './command.ts';
import { commands } from './commands/index.ts';
import { failureLines, printFailureJson } from './print-failure.ts';
import { permitAllUses } from '../connectors/permit-use.ts';
import { isTestFile } from '../project/list-entity-files.ts';
import { allowedInEditor } from '../project/allowed-values.ts';
import { readSecretFromEnvironment } from '../project/environment-secrets.ts';
import { loopbackLogin } from './loopback-login.ts';
import { type OutputStream, createTerminal } from './terminal.ts';
import { commandHelp, generalHelp } from './usage.ts';
import { toFailure } from '../operations/operation-error.ts';
import { version } from '../../../package.json';
import type { TokenStore } from '../connectors/connector-context.ts';

/** The part of the process that the command line uses. */
interface CommandLineProcess {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Runs a command. Rejects only for defects: problems of arguments, files or data sources are printed. */
export async function runCommandLine(argv: readonly string[], around: CommandLineProcess): Promise<ExitCode> {
  const terminal = createTerminal(around.stdout, around.stderr, around.env, around.stdin);
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = name === 'help' ? commands.find((candidate) => candidate.name === rest[0]) : undefined;
    for (const line of about ? commandHelp(about) : generalHelp(commands)) terminal.result(line);
    return name === undefined ? exitCodes.usage : exitCodes.fine;
  }
  if (name === '--version' || name === '-v') {
    terminal.result(version);
    return exitCodes.fine;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    terminal.note(`entity-graph: there is no command "${name}". Run entity-graph --help.`);
    return exitCodes.usage;
  }
  try {
    const invocation = readInvocation(command, rest, terminal, around);
    if (invocation === 'help') {
      for (const line of commandHelp(command)) terminal.result(line);
      return exitCodes.fine;
    }
    return await runCommand(command, invocation);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.note(`entity-graph ${name}: ${error.message} Run entity-graph ${name} --help.`);
    return exitCodes.usage;
  }
}

async function runCommand(command: Command, invocation: Invocation): Promise<ExitCode> {
  const { terminal } = invocation;
  try {
    return await command.run(invocation);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    terminal.endProgress();
    const failure = toFailure(error, invocation.signal);
    if (invocation.format === 'json') printFailureJson(failure, terminal);
    for (const line of failureLines(failure)) terminal.note(line);
    return exitCodes.problems;
  }
}

function readInvocation(
  command: Command,
  argv: readonly string[],
  terminal: Invocation['terminal'],
  { env, stderr, stdin, signal }: CommandLineProcess,
): Invocation | 'help' {
  const specs: readonly OptionSpec[] = [...command.options, ...commonOptions];
  const parsed = parse(argv, specs);
  if (parsed.values['help']) return 'help';
  const options: Record<string, string | undefined> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(parsed.values)) {
    if (Array.isArray(value)) lists[name] = value.map(String);
    else options[name] = value === true ? 'true' : String(value);
  }
  for (const spec of command.options) {
    const value = options[spec.name];
    if (value !== undefined && spec.choices && !spec.choices.includes(value)) {
      throw new UsageError(`--${spec.name} takes one of ${spec.choices.join(', ')}, not "${value}".`);
    }
  }
  const { min, max } = command.arity;
  const count = parsed.positionals.length;
  if (count < min) throw new UsageError(`${command.operands} is missing.`);
  if (count > max) throw new UsageError(`There is one argument too many: "${parsed.positionals[max]}".`);
  const tests = command.takesTests ? undefined : parsed.positionals.find(isTestFile);
  if (tests !== undefined) {
    throw new UsageError(`${tests} is a file of tests, not an entity graph: entity-graph test ${tests} runs it.`);
  }
  const workspace = options['workspace'];
  return {
    operands: parsed.positionals,
    options,
    lists,
    terminal,
    readInput: async () => (stdin ? textOf(stdin) : ''),
    signal,
    format: options['format'] ?? 'text',
    projectContext: {
      ...(allowedInEditor(env) ?? { readSecret: readSecretFromEnvironment(env), permitUses: permitAllUses }),
      environment: env,
      // An unattended process must not wait for a login.
      ...(options['sign-in'] !== undefined || stderr.isTTY ? loginByBrowser(terminal, signal, env) : {}),
      workspaceFolderOf: workspace === undefined ? undefined : () => resolve(workspace),
    },
  };
}

function loginByBrowser(
  terminal: Invocation['terminal'],
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv,
): Pick<Invocation['projectContext'], 'authorize' | 'tokens'> {
  const note = (line: string): void => terminal.note(line);
  return { authorize: loopbackLogin({ note, signal, environment }), tokens: tokensInMemory() };
}

function parse(argv: readonly string[], specs: readonly OptionSpec[]) {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string; multiple?: boolean }> = {
    help: { type: 'boolean', short: 'h' },
  };
  for (const { name, value, repeats = false } of specs) {
    options[name] = { type: value === undefined ? 'boolean' : 'string', multiple: repeats };
  }
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? mistakeOfArguments(error.message) : String(error));
  }
}

/** The first sentence of a message of `parseArgs`, which has several lines for values that begin with a dash. */
function mistakeOfArguments(message: string): string {
  const [, option] = /^Option '(?:-\w, )?(--[^ ']+).*' argument is ambiguous/u.exec(message) ?? [];
  if (option) return `${option} needs a value. One that begins with a dash is written ${option}=-….`;
  const [sentence = message] = message.split(/\.(?:\s|$)/u);
  return `${sentence}.`;
}

/** Keeps tokens until the program ends, so that a command logs in once. */
function tokensInMemory(): TokenStore {
  const tokens = new Map<string, string>();
  const turns = new Map<string, Promise<unknown>>();
  return {
    read: async (name) => tokens.get(name),
    async write(name, value) {
      if (value === undefined) tokens.delete(name);
      else tokens.set(name, value);
    },
    exclusively(name, work) {
      const mine = (turns.get(name) ?? Promise.resolve()).then(work, work);
      turns.set(
        name,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}
