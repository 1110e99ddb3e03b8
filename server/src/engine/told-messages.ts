import type { Shape } from '../../../protocol/shapes/shape.ts';

/**
 * Hands what this process is told to `take`. What it cannot understand goes to `refuse` with the reason, and the number of the question
 * where there is one: whoever asked waits for an answer.
 */
export function takeMessages<T>(
  shape: Shape<T>,
  take: (message: T) => void,
  refuse: (mistake: string, id: number | undefined) => void,
): void {
  process.on('message', (message: unknown) => {
    const mistake = shape(message, '');
    if (mistake === undefined) return take(message as T);
    const { id } = (message ?? {}) as { readonly id?: unknown };
    refuse(`The process was told what it does not understand. ${mistake}`, typeof id === 'number' ? id : undefined);
  });
}
