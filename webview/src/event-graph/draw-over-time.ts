import { type TemplateResult, html, nothing, svg } from 'lit';
import type { DottedChart, EntityFlow } from '../../../protocol/analysis.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { rangeOf } from './brush.ts';
import { drawBins } from './draw-bins.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';
import { unitText } from './map-words.ts';
import { drawChooseType } from './type-filter.ts';

/** Arrivals, completions, work in progress, and the dotted chart. */
export function drawOverTimeTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  if (state.filter.entityType === undefined) return drawChooseType(state);
  return html`<div class="throughput over-time">
    <section aria-label=${t('Entities over time')}>
      <h2>${t('Entities over time')}</h2>
      ${whenLoaded(state.flow, actions, (flow) => drawFlow(flow, state, actions))}
    </section>
    <section aria-label=${t('Dotted chart')}>
      <h2>${t('Dotted chart')} ${drawAlignment(state, actions)}</h2>
      ${whenLoaded(state.dots, actions, drawDots)}
    </section>
  </div>`;
}

const series = [
  { name: 'inProgress', title: t('In progress'), of: t('entities with a first event before and a last one after') },
  { name: 'arrivals', title: t('Arrivals'), of: t('first events') },
  { name: 'completions', title: t('Completions'), of: t('last events') },
] as const;

function drawFlow(flow: EntityFlow, { brushedFlow }: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { unit, parts } = flow;
  if (parts.length === 0) return html`<p class="muted">${t('No entity of this filter has events.')}</p>`;
  return html`${series.map(({ name, title, of }) => {
      const most = Math.max(...parts.map((part) => part[name]));
      return html`<div class="series">
        <h3>
          ${title} <span class="muted">${t('{0}, {1}, at most {2}', of, unitText(unit), most.toLocaleString())}</span>
        </h3>
        ${drawBins({
          id: `flow-${name}`,
          label: t(
            '{0} {1}. Arrow keys choose a column, with Shift several, Enter filters by them.',
            title,
            unitText(unit),
          ),
          bins: parts.map((part) => ({
            count: part[name],
            text: `${dayText(part.start)}: ${part[name].toLocaleString()}`,
          })),
          brushed: brushedFlow,
          brushing: { onBrush: actions.brushFlow, onChoose: actions.filterByFlow },
        })}
      </div>`;
    })}
    <p class="muted ends">
      <span>${dayText(parts[0]?.start ?? '')}</span><span>${dayText(parts.at(-1)?.start ?? '')}</span>
    </p>
    ${drawBrushed(parts, brushedFlow, actions)}`;
}

function drawBrushed(
  parts: EntityFlow['parts'],
  brushed: EventGraphState['brushedFlow'],
  actions: EventGraphActions,
): TemplateResult {
  if (!brushed) {
    return html`<p class="muted">${t('Drag over columns to filter by entities with events in this period.')}</p>`;
  }
  const [first, last] = rangeOf(brushed);
  return html`<p class="brush-choice" role="status">
    <span>${t('{0} – {1}', dayText(parts[first]?.start ?? ''), dayText(parts[last]?.start ?? ''))}</span>
    ${button(t('Only These'), actions.filterByFlow, { appearance: 'small' })}
  </p>`;
}

function dayText(start: string): string {
  return timeText(start).replace(/ 00:00:00$/, '');
}

function drawAlignment({ dotsTime }: EventGraphState, actions: EventGraphActions): TemplateResult {
  const choice = (time: EventGraphState['dotsTime'], label: string): TemplateResult =>
    button(label, () => actions.alignDots(time), {
      appearance: 'small',
      id: `dots-${time}`,
      pressed: dotsTime === time,
    });
  return html`<div class="choices" role="group" aria-label=${t('Time of the dotted chart')}>
    ${choice('absolute', t('by time'))} ${choice('relative', t('since the first event'))}
  </div>`;
}

/** Activities with a colour of their own; the others are grey. */
const colours = [
  'charts-blue',
  'symbolIcon-classForeground',
  'charts-green',
  'charts-purple',
  'charts-red',
  'charts-yellow',
];

function colourOf(activity: number): string {
  const name = colours[activity];
  return name === undefined ? 'var(--eg-muted)' : `var(--vscode-${name})`;
}

/** A path for each activity and density: thousands of elements would be slow. */
function drawDots({ columns, rows, from, to, entities, cells, activities }: DottedChart): TemplateResult {
  if (cells.length === 0) return html`<p class="muted">${t('No entity of this filter has events.')}</p>`;
  const most = Math.max(...cells.map(([, , events]) => events));
  const paths = new Map<string, { readonly activity: number; readonly opacity: number; d: string }>();
  for (const [column, row, events, activity] of cells) {
    const shown = Math.min(activity, colours.length);
    const opacity =
      most === 1 ? 1 : ([0.45, 0.65, 0.85, 1][Math.min(3, Math.floor((4 * Math.log(events)) / Math.log(most)))] ?? 1);
    const key = `${shown} ${opacity}`;
    const path = paths.get(key) ?? { activity: shown, opacity, d: '' };
    path.d += `M${column} ${row}h1v1h-1z`;
    paths.set(key, path);
  }
  const shownActivities = activities.slice(0, colours.length);
  const others = activities.length - shownActivities.length;
  const bound = (value: number | string): string =>
    typeof value === 'number' ? durationText(value) : timeText(value).slice(0, 16);
  return html`<ul class="dot-legend" aria-label=${t('Activities')}>
      ${shownActivities.map(
        ({ name, events }, index) =>
          html`<li>
            <i class="square" .style=${`background: ${colourOf(index)}`}></i><span class="clip">${name}</span>
            <span class="muted">${events.toLocaleString()}</span>
          </li>`,
      )}
      ${others > 0 ? html`<li><i class="square" .style=${`background: ${colourOf(colours.length)}`}></i>${t('{0} others', others.toLocaleString())}</li>` : nothing}
    </ul>
    <svg
      class="dots"
      id="dots"
      role="img"
      aria-label=${t('Events of {0} entities, in the order of their first events.', entities.toLocaleString())}
      viewBox=${`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
    >
      ${[...paths.values()].map(({ activity, opacity, d }) => svg`<path d=${d} opacity=${opacity} .style=${`fill: ${colourOf(activity)}`}></path>`)}
    </svg>
    <p class="muted ends"><span>${bound(from)}</span><span>${bound(to)}</span></p>
    <p class="muted">
      ${
        rows < entities
          ? t(
              '{0} entities from top to bottom, in the order of their first events, about {1} a row. A point has the colour of its most frequent activity, and is strong where there are many events.',
              entities.toLocaleString(),
              Math.ceil(entities / rows).toLocaleString(),
            )
          : t('{0} entities from top to bottom, in the order of their first events.', entities.toLocaleString())
      }
    </p>`;
}
