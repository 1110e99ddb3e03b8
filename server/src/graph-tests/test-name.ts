import type { GraphTest } from './graph-tests.ts';

/** How reports call a test. */
export function testName({ name, index }: Pick<GraphTest, 'name' | 'index'>): string {
  return name?.value ?? `test ${index + 1}`;
}
