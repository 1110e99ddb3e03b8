import { newRecord, sysId, utcText } from '../simulator/demo-data.ts';
import { type Simulator, startSimulator } from '../simulator/simulator.ts';

/** A complaint of samples/cross-system; times in milliseconds, UTC. */
export interface Complaint {
  readonly number: string;
  readonly text: string;
  readonly opened: number;
  readonly resolved?: number;
}

/** Starts an instance whose incidents are these complaints; returns it with the environment that samples/cross-system needs. */
export async function startServiceDesk(complaints: readonly Complaint[]) {
  const simulator: Simulator = await startSimulator({ seed: 1, incidents: 0 });
  const incidents = simulator.instance.data.get('incident');
  for (const { number, text, opened, resolved } of complaints) {
    const state = resolved === undefined ? '2' : '6';
    const values = {
      ...{ number, sys_class_name: 'incident', short_description: text, category: 'complaint', state },
      ...{ incident_state: state, active: String(resolved === undefined), opened_at: utcText(opened) },
      ...(resolved === undefined ? {} : { resolved_at: utcText(resolved), sys_updated_on: utcText(resolved) }),
    };
    incidents?.push(newRecord('incident', sysId(`complaint ${number}`), opened, values));
  }
  const env: Readonly<Record<string, string>> = {
    COMPLAINTS_URL: simulator.url,
    ENTITY_GRAPH_SECRET_COMPLAINTS: simulator.logins.password,
  };
  return { simulator, env };
}
