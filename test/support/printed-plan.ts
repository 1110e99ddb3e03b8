import type { ImportPlanView } from '../../protocol/import-plan.ts';
import type { ShownStep } from '../../protocol/query-results.ts';

type Part = Pick<ShownStep, 'kind' | 'dialect' | 'title' | 'text'>;

/** Prints plans and queries for golden files; repeated texts are replaced by a reference. */
export interface PlanPrinter {
  plan(title: string, plan: ImportPlanView): void;
  query(title: string, steps: readonly ShownStep[]): void;
  text(): string;
}

/** @param scrub replaces variable content, such as ports and paths. */
export function createPlanPrinter(scrub: (text: string) => string): PlanPrinter {
  const lines: string[] = [];
  const places = new Map<string, string>();
  /** The place of an earlier occurrence of a text, or undefined. */
  const known = (text: string, place: string): string | undefined => {
    const before = places.get(text);
    if (before === undefined) places.set(text, place);
    return before;
  };
  const print = (place: string, parts: readonly Part[]): void => {
    for (const { kind, dialect, title, text } of parts) {
      const scrubbed = scrub(text);
      // Minimum length of texts to replace by a reference.
      const before = scrubbed.length > 80 ? known(scrubbed, place) : undefined;
      lines.push(`-- ${scrub(title)} [${kind}, ${dialect}]${before === undefined ? '' : ` = ${before}`}`);
      if (before === undefined) lines.push(scrubbed);
    }
  };
  return {
    plan(title, { engine, steps }) {
      lines.push('', `# ${title}: plan, ${engine}`);
      for (const step of steps) {
        const before = known(scrub(JSON.stringify(step)), title);
        lines.push(`## ${step.name} (${step.phase}): ${step.title}${before === undefined ? '' : ` = ${before}`}`);
        if (before === undefined) print(`${title} › ${step.name}`, step.parts);
      }
    },
    query(title, steps) {
      const before = known(scrub(JSON.stringify(steps)), title);
      lines.push('', `# ${title}: query${before === undefined ? '' : ` = ${before}`}`);
      if (before === undefined) print(title, steps);
    },
    text: () => `${lines.join('\n').trimStart()}\n`,
  };
}
