import type { QueryStep } from './compiled-query.ts';

/** Steps as text for people: the title of each as a comment, then its text, byte for byte. */
export function showQuery(steps: readonly QueryStep[]): string {
  return steps.map((step) => `${commented(step.title)}\n${step.text}\n`).join('\n');
}

function commented(title: string): string {
  return title
    .split(/\r\n|\r|\n/)
    .map((line) => `-- ${line}`)
    .join('\n');
}
