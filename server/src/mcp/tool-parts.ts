import type { Tool } from './tool.ts';

// JSON Schemas of answers, and arguments that several tools have.

export const text = { type: 'string' };
export const count = { type: 'integer' };
export const number = { type: ['number', 'null'] };
export const values = { type: 'object' };
export const listOf = (items: object): object => ({ type: 'array', items });
export const answerOf = (properties: Readonly<Record<string, object>>): Tool['answer'] => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
/** Commands that print a list. */
export const itemsOf = (properties: Readonly<Record<string, object>>): Tool['answer'] =>
  answerOf({ items: listOf(answerOf(properties)) });

export const limitOf = (what: string, byDefault: number) =>
  ({ type: 'count', description: `At most this many ${what}; default: ${byDefault}.` }) as const;
export const queryTarget = {
  element: { type: 'text', description: 'The activity name of an element.' },
  entities: { type: 'text', description: 'The name of an entry of entities.' },
  relationship: { type: 'text', description: 'The name of a relationship, or "source -> target".' },
} as const;
