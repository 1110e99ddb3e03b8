import { l10n, window } from 'vscode';
import type { EndpointMethod } from '../../../protocol/platform-actions.ts';
import { askFor, chooseInstance } from '../platform/platform-place.ts';
import { runAction, showResult } from '../platform/run-action.ts';
import type { Command } from './command.ts';

const methods: readonly EndpointMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Calls a scripted endpoint of the instance. */
export const callEndpoint: Command = async ({ language }, [given]) => {
  const source = await chooseInstance(language, given);
  const method = source && (await window.showQuickPick(methods, { title: l10n.t('Method') }));
  const path = method && (await askFor(l10n.t('Path below /api, such as x_acme/ops/outages?open=true')));
  const known = methods.find((each) => each === method);
  if (!source || !known || path === undefined) return;
  const body = known === 'GET' || known === 'DELETE' ? '' : await askForBody();
  if (body === undefined) return;
  const action = { kind: 'call endpoint', method: known, path, parameters: {}, ...(body !== '' && { body }) } as const;
  const result = await runAction(language, source, action);
  if (result) await showResult(result);
};

/** The selected text of the active editor is the default, because editors suit multi-line bodies better. */
function askForBody(): Thenable<string | undefined> {
  const editor = window.activeTextEditor;
  const value = editor ? editor.document.getText(editor.selection) : '';
  return window.showInputBox({ prompt: l10n.t('Body, JSON; empty for none'), value, ignoreFocusOut: true });
}
