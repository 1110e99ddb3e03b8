/** A UTF-16 unit of a scalar's value with its position. */
export interface SourceCharacter {
  readonly character: string;
  readonly offset: number;
}
