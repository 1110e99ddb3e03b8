import type { SourceChoice, SourceKindView, SourceQuestion } from '../../../protocol/source-kinds.ts';
import { translated } from '../translated-text.ts';

/** A source kind with translated texts. */
export function translatedKind(kind: SourceKindView): SourceKindView {
  const { label, description, questions } = kind;
  return {
    ...kind,
    label: translated(label),
    description: translated(description),
    questions: questions.map(translatedQuestion),
  };
}

function translatedQuestion({ prompt, choices, expects, ...others }: SourceQuestion): SourceQuestion {
  return {
    ...others,
    prompt: translated(prompt),
    choices: choices?.map(translatedChoice),
    expects: expects && { ...expects, message: translated(expects.message) },
  };
}

function translatedChoice({ label, description, ...others }: SourceChoice): SourceChoice {
  return {
    ...others,
    label: translated(label),
    ...(description !== undefined && { description: translated(description) }),
  };
}
