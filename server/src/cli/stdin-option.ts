import { resolve } from 'node:path';
import type { ProjectContext } from '../project/open-project.ts';
import { type Invocation, type OptionSpec, UsageError } from './command.ts';

export const stdinOption: OptionSpec = {
  name: 'stdin',
  help: 'Take the text on stdin as that of FILE, which is not read',
};

/** With the text on stdin in place of that of the file, where that is asked for. Rejects with a `UsageError`. */
export async function withInput({ operands, options, projectContext, readInput }: Invocation): Promise<ProjectContext> {
  if (options[stdinOption.name] !== 'true') return projectContext;
  const [operand = '', ...others] = operands;
  if (others.length > 0) throw new UsageError('--stdin takes one FILE.');
  const path = resolve(operand);
  const text = await readInput();
  return { ...projectContext, openText: (asked) => (asked === path ? text : undefined) };
}
