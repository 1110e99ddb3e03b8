import type { GraphTest } from './graph-tests.ts';

/** The name of a test in reports. */
export function testName({ name, index }: Pick<GraphTest, 'name' | 'index'>): string {
  return name?.value ?? `test ${index + 1}`;
}
