import type { EffectOptions } from '../operations/effect/graph-effect.ts';
import type { Invocation } from './command.ts';

/** Prints the progress of a comparison: its two texts, then each edit alone. */
export function effectProgress(terminal: Invocation['terminal']): EffectOptions['onProgress'] {
  return ({ step, message, fraction }, text) => {
    const [title, from, share] =
      typeof text === 'string'
        ? text === 'base'
          ? ['Base', 0, 0.5]
          : ['File', 0.5, 0.5]
        : [`Edit ${text.number} of ${text.count}`, (text.number - 1) / text.count, 1 / text.count];
    terminal.progress(
      `${title}, ${step}: ${message}`,
      fraction === undefined ? undefined : Number(from) + fraction * Number(share),
    );
  };
}
