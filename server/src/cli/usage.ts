import { type Command, type OptionSpec, commonOptions } from './command.ts';
import { type Line, paint, styled } from './styled-text.ts';

/** Text of `entity-graph --help`. */
export function generalHelp(commands: readonly Command[]): readonly Line[] {
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  return [
    styled`${paint.bold('entity-graph')} builds event knowledge graphs from entity-graph YAML files.`,
    '',
    styled`${paint.bold('Usage')}  entity-graph COMMAND …`,
    '',
    paint.bold('Commands'),
    ...commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    'entity-graph COMMAND --help tells more of one. Secrets come from ENTITY_GRAPH_SECRET_NAME.',
    'Exit codes: 0 fine, 1 problems found or failed, 2 wrong usage.',
  ];
}

/** Text of `entity-graph COMMAND --help`. */
export function commandHelp(command: Command): readonly Line[] {
  const options: readonly OptionSpec[] = [...command.options, ...commonOptions, { name: 'help', help: 'Print this' }];
  const left = options.map((option) => `--${option.name}${option.value === undefined ? '' : ` ${option.value}`}`);
  const width = Math.max(...left.map((text) => text.length)) + 2;
  return [
    command.summary + '.',
    ...(command.details ?? []),
    '',
    styled`${paint.bold('Usage')}  entity-graph ${`${command.name} ${command.operands}`.trimEnd()} [options]`,
    '',
    paint.bold('Options'),
    ...options.map((option, index) => `  ${(left[index] ?? '').padEnd(width)}${optionHelp(option)}`),
    '',
    paint.bold('Examples'),
    ...command.examples.map((example) => `  ${example}`),
  ];
}

function optionHelp(option: OptionSpec): string {
  return option.choices ? `${option.help} (${option.choices.join(', ')})` : option.help;
}
