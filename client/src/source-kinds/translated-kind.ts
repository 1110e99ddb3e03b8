import { l10n } from 'vscode';
import type { SourceChoice, SourceKindView, SourceQuestion } from '../../../protocol/source-kinds.ts';

/** A kind with its texts in the user's language. */
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
    ...(choices && { choices: choices.map(translatedChoice) }),
    ...(expects && { expects: { ...expects, message: translated(expects.message) } }),
  };
}

function translatedChoice({ label, description, ...others }: SourceChoice): SourceChoice {
  return {
    ...others,
    label: translated(label),
    ...(description !== undefined && { description: translated(description) }),
  };
}

/** The server marks these texts with `translatable`, from where the bundle has them. */
function translated(text: string): string {
  return l10n.t(text);
}
