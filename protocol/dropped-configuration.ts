/** Text of a configuration that was dropped without a path. */
export interface DroppedConfiguration {
  readonly name: string;
  readonly text: string;
}
