import { QuickInputButtons, type QuickPickItem, window } from 'vscode';
import { withoutLinks } from './without-links.ts';

/** Result of one input step; `back` returns to the previous step, undefined cancels. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

interface StepPlace {
  readonly title: string;
  /** 1-based. */
  readonly step: number;
  readonly totalSteps: number;
}

interface TextStep extends StepPlace {
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string | undefined;
  readonly password?: boolean;
  /** Why a text is invalid; undefined when valid. */
  readonly problem?: (text: string) => string | undefined;
}

/** Asks for a text, with a Back button. */
export function askText({ prompt, value = '', problem, ...look }: TextStep): Promise<StepAnswer<string>> {
  return new Promise((resolve) => {
    const input = window.createInputBox();
    Object.assign(input, look, {
      prompt: withoutLinks(prompt),
      value,
      ignoreFocusOut: true,
      buttons: backButton(look.step),
    });
    let answer: StepAnswer<string>;
    const validate = (): boolean => {
      const found = problem?.(input.value);
      input.validationMessage = found && withoutLinks(found);
      return found === undefined;
    };
    input.onDidChangeValue(validate);
    input.onDidAccept(() => {
      if (!validate()) return;
      answer = { value: input.value };
      input.hide();
    });
    input.onDidTriggerButton(() => {
      answer = 'back';
      input.hide();
    });
    input.onDidHide(() => {
      input.dispose();
      resolve(answer);
    });
    input.show();
  });
}

interface ChoiceStep<Item extends QuickPickItem> extends StepPlace {
  readonly placeholder: string;
  readonly items: readonly Item[];
  readonly active?: Item | undefined;
}

/** Asks for one of several items, with a Back button. */
export function askChoice<Item extends QuickPickItem>({
  items,
  active,
  ...look
}: ChoiceStep<Item>): Promise<StepAnswer<Item>> {
  return new Promise((resolve) => {
    const pick = window.createQuickPick<Item>();
    Object.assign(pick, look, { items, ignoreFocusOut: true, buttons: backButton(look.step) });
    if (active) pick.activeItems = [active];
    let answer: StepAnswer<Item>;
    pick.onDidAccept(() => {
      const [value] = pick.selectedItems;
      if (!value) return;
      answer = { value };
      pick.hide();
    });
    pick.onDidTriggerButton(() => {
      answer = 'back';
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(answer);
    });
    pick.show();
  });
}

function backButton(step: number): readonly (typeof QuickInputButtons.Back)[] {
  return step > 1 ? [QuickInputButtons.Back] : [];
}
