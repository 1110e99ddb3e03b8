import type { ProjectContext } from '../project/open-project.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes (docs/semantics.md#151-contract). */
export const exitCodes = { fine: 0, problems: 1, usage: 2 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An option of a command; all commands also accept `--help` and `commonOptions`. */
export interface OptionSpec {
  readonly name: string;
  /** Placeholder of the value; absent for a switch. */
  readonly value?: string;
  readonly help: string;
  /** Allowed values, checked before the command runs. */
  readonly choices?: readonly string[];
  /** May be given several times; its values are `Invocation.lists`. */
  readonly repeats?: true;
}

export interface Command {
  readonly name: string;
  /** Operands in the usage line, such as `FILE…`. */
  readonly operands: string;
  readonly summary: string;
  /** Additional lines of its help, after the summary. */
  readonly details?: readonly string[];
  readonly options: readonly OptionSpec[];
  /** Number of operands accepted. */
  readonly arity: { readonly min: number; readonly max: number };
  readonly examples: readonly string[];
  /** Whether its operands may be files of tests. */
  readonly takesTests?: true;
  run(invocation: Invocation): Promise<ExitCode>;
}

export interface Invocation {
  readonly operands: readonly string[];
  /** Option values by name; switches are `'true'`. */
  readonly options: Readonly<Record<string, string | undefined>>;
  /** Values of repeated options by name, in their order. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  readonly terminal: Terminal;
  readonly projectContext: ProjectContext;
  /** The whole text of stdin. */
  readInput(): Promise<string>;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  /** `json` on request; other formats depend on the command. */
  readonly format: string;
}

/** Options of every command. */
export const commonOptions: readonly OptionSpec[] = [
  { name: 'workspace', value: 'DIR', help: 'Where the search for entity-sources.yaml stops (default: the git root)' },
  { name: 'sign-in', help: 'Log in with a browser where a data source wants it (default: on a terminal)' },
];

/** Output format of commands with lines and JSON. */
export const formatOption: OptionSpec = {
  name: 'format',
  value: 'FORMAT',
  help: 'How to print the result',
  choices: ['text', 'json'],
};

/** Rows listed of each number of a comparison. */
export const listedRows = 100;

/** Wrong usage, reported with the command's help. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The value of a required option. Throws `UsageError`. */
export function requiredOption(invocation: Invocation, name: string): string {
  const value = invocation.options[name];
  if (value === undefined) throw new UsageError(`--${name} is required.`);
  return value;
}

/** An integer of at least 1, or undefined without the option. Throws `UsageError`. */
export function countOption(invocation: Invocation, name: string): number | undefined {
  const value = invocation.options[name];
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,9}$/.test(value))
    throw new UsageError(`--${name} takes a whole number of at least 1, not "${value}".`);
  return Number(value);
}
