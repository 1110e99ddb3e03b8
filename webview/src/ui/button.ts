import { type TemplateResult, html, nothing } from 'lit';

/** The classes of each appearance; `bare` has none: the place that shows it styles it. */
const appearances = {
  primary: 'button',
  secondary: 'button quiet',
  small: 'button quiet small',
  icon: 'action',
  labelled: 'action labelled',
  chip: 'chip',
  link: 'link',
  bare: '',
} as const;

interface ButtonOptions {
  readonly appearance?: keyof typeof appearances | undefined;
  /** Further classes, for the place where it stands. */
  readonly className?: string;
  readonly id?: string;
  readonly title?: string | undefined;
  /** Its name for assistive technology, where its content is an icon. */
  readonly label?: string | undefined;
  readonly disabled?: boolean;
  /** Marks it as unavailable, while it can still have the focus. */
  readonly unavailable?: boolean | undefined;
  readonly pressed?: boolean;
  readonly checked?: boolean | undefined;
  readonly expanded?: boolean;
  readonly selected?: boolean;
  readonly current?: boolean;
  readonly opensMenu?: boolean;
  readonly opensDialog?: boolean;
  readonly controls?: string;
  readonly role?: string;
  readonly tabindex?: number;
  readonly draggable?: boolean;
  readonly autofocus?: boolean;
  /** It submits its form, and needs no handler of its own. */
  readonly submits?: boolean;
}

/** A button, the only maker of them; `content` is its text, an icon with a label, or both. */
export function button(
  content: unknown,
  onClick: ((event: MouseEvent) => void) | undefined,
  options: ButtonOptions = {},
): TemplateResult {
  const { appearance = 'secondary', className = '', submits = false } = options;
  const classes = [appearances[appearance], className].filter(Boolean).join(' ');
  return html`<button
    type=${submits ? 'submit' : 'button'}
    class=${classes || nothing}
    id=${options.id ?? nothing}
    role=${options.role ?? nothing}
    tabindex=${options.tabindex ?? nothing}
    title=${options.title ?? nothing}
    draggable=${options.draggable ?? nothing}
    aria-label=${options.label ?? nothing}
    aria-disabled=${options.unavailable ?? nothing}
    aria-pressed=${options.pressed ?? nothing}
    aria-checked=${options.checked ?? nothing}
    aria-expanded=${options.expanded ?? nothing}
    aria-selected=${options.selected ?? nothing}
    aria-current=${options.current ?? nothing}
    aria-haspopup=${options.opensMenu ? 'menu' : options.opensDialog ? 'dialog' : nothing}
    aria-controls=${options.controls ?? nothing}
    ?disabled=${options.disabled ?? false}
    ?autofocus=${options.autofocus ?? false}
    @click=${onClick ?? nothing}
  >
    ${content}
  </button>`;
}
