/** A value that somebody wrote, without a type. A list or an object is JSON text. */
export interface WrittenValue {
  readonly kind: 'text' | 'number' | 'boolean' | 'json' | 'null';
  readonly text: string;
}
