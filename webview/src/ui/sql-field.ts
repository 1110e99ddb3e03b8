import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { sqlTokens } from './sql-tokens.ts';

interface SqlFieldOptions {
  readonly id: string;
  readonly placeholder?: string;
  readonly rows?: number;
  /** The problem, and the affected text. */
  readonly problem?: { readonly message: string; readonly excerpt: string } | undefined;
  readonly unseenLabel?: boolean;
}

/** Multi-line SQL field with highlighting, and its first problem below. */
export function sqlField(
  label: string,
  value: string,
  onInput: (value: string) => void,
  { id, placeholder = '', rows = 2, problem, unseenLabel = false }: SqlFieldOptions,
): TemplateResult {
  const lines = Math.max(rows, value.split('\n').length);
  return html`<div class="sql-field">
    <label for=${id} class=${unseenLabel ? 'unseen' : 'field-label'}>${label}</label>
    <div class=${`sql input ${problem ? 'wrong' : ''}`}>
      <pre aria-hidden="true">${coloured(value, problem?.excerpt)}</pre>
      <textarea
        id=${id}
        rows=${lines}
        spellcheck="false"
        autocapitalize="off"
        placeholder=${placeholder}
        aria-invalid=${problem ? 'true' : 'false'}
        aria-describedby=${problem ? `${id}-problem` : nothing}
        .value=${live(value)}
        @input=${(event: Event) => onInput((event.target as HTMLTextAreaElement).value)}
        @keydown=${keepEnter}
      ></textarea>
    </div>
    ${problem ? html`<p class="field-problem" id=${`${id}-problem`}>${problem.message}</p>` : nothing}
  </div>`;
}

/** Enter inserts a line break instead of confirming the dialog. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.stopPropagation();
}

/** An empty last line needs a character to have a height. */
function coloured(sql: string, excerpt: string | undefined): unknown {
  const at = excerpt === undefined || excerpt === '' || excerpt.includes('\n') ? -1 : sql.indexOf(excerpt);
  const parts: readonly (readonly [string, boolean])[] =
    at < 0 || excerpt === undefined
      ? [[sql, false]]
      : [
          [sql.slice(0, at), false],
          [excerpt, true],
          [sql.slice(at + excerpt.length), false],
        ];
  return [
    ...parts.map(([text, wrong]) => {
      const tokens = sqlTokens(text).map(({ kind, text: word }) => html`<span class=${`sql-${kind}`}>${word}</span>`);
      return wrong ? html`<span class="sql-wrong">${tokens}</span>` : tokens;
    }),
    '\n',
  ];
}
