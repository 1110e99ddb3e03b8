import type { SourceKindView, SourceQuestion } from '../../../protocol/source-kinds.ts';

/** Answers by setting. */
export type SourceAnswers = Readonly<Record<string, string>>;

/** Whether a question applies to the answers so far. */
export function isAsked({ when }: SourceQuestion, answers: SourceAnswers): boolean {
  return when === undefined || when.oneOf.includes(answers[when.setting] ?? '');
}

/** Why an answer is invalid; undefined when valid. */
export function answerProblem({ expects }: SourceQuestion, text: string): string | undefined {
  if (expects === undefined) return undefined;
  switch (expects.kind) {
    case 'integer': {
      const isInside = Number(text) >= expects.from && Number(text) <= expects.to;
      const isShort = text.length <= String(expects.to).length;
      return /^\d+$/.test(text) && isShort && isInside ? undefined : expects.message;
    }
    case 'start':
      return text.startsWith(expects.start) ? undefined : expects.message;
    case 'address':
      return isAddress(text) ? undefined : expects.message;
  }
}

function isAddress(text: string): boolean {
  try {
    return ['https:', 'http:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** Converts answers to settings; secrets become references to `secretName`. */
export function settingsOf(
  { name, questions }: Pick<SourceKindView, 'name' | 'questions'>,
  answers: SourceAnswers,
  secretName: string,
): Readonly<Record<string, unknown>> {
  const settings: Record<string, unknown> = { kind: name };
  const answered = questions.flatMap((question) => {
    const text = answers[question.setting]?.trim() ?? '';
    return text === '' || !isAsked(question, answers) ? [] : [{ question, text }];
  });
  for (const { question, text } of answered) {
    const value = question.secret ? `\${secret:${secretName}}` : written(question, text);
    put(settings, question.setting.split('.'), value);
  }
  for (const { question, text } of answered) {
    const entailed = question.choices?.find(({ value }) => value === text)?.entails;
    if (entailed) put(settings, entailed.setting.split('.'), entailed.value);
  }
  return settings;
}

function written({ choices, writtenAs }: SourceQuestion, text: string): unknown {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  switch (writtenAs) {
    case undefined:
      return choices?.find(({ value }) => value === text)?.writes ?? text;
    case 'number':
      return Number(text);
    case 'list':
      return parts;
    case 'text or list':
      return parts.length === 1 ? parts[0] : parts;
  }
}

/** Numbers in a path are list indexes. */
function put(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  const [next] = rest;
  if (next === undefined) {
    target[first] = value;
    return;
  }
  target[first] ??= /^\d+$/.test(next) ? [] : {};
  put(target[first] as Record<string, unknown>, rest, value);
}

/** A single path unchanged; for several, the pattern that matches the most files, and the shortest of these. */
export function proposedPattern(paths: readonly string[]): string | undefined {
  const [only] = paths;
  if (paths.length === 1) return only;
  const counts = new Map<string, number>();
  for (const path of paths) {
    const [, folder = '', ending = ''] = /^(.*\/)?[^/]*?(\.[^./]+(?:\.gz)?)$/i.exec(path) ?? [];
    const pattern = `${folder}*${ending}`;
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  const [best] = [...counts].sort(
    ([one, oneCount], [other, otherCount]) =>
      otherCount - oneCount || one.length - other.length || (one < other ? -1 : 1),
  );
  return best?.[0];
}
