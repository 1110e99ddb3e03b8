import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');

/** The entries of `docs/rules.md` in order, with their examples; empty for an entry without any. */
export const ruleExamples: readonly { readonly code: string; readonly text: string; readonly example: string }[] = page
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    code: text.slice(0, text.indexOf('\n')).trim(),
    text,
    example: /```yaml\n([^]*?)```/.exec(text)?.[1] ?? '',
  }));
