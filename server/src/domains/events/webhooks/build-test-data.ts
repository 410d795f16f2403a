import { newId } from '../../../lib/ids.ts'
import { rawNumber } from '../../../lib/text/json.ts'
import { buildExample } from './build-example.ts'
import { eventDataSchemas, type EventData, type EventType } from './events.ts'

/** Made-up data in the shape of an event type, with an id that belongs to nothing, marked as a test. */
export function testDataOf<Type extends EventType>(
  eventType: Type,
  orgId: string,
  now: Date,
): EventData<Type> & { test: true } {
  const example = buildExample(eventType, { id: newId(), at: now })
  const data = {
    ...example.data,
    ...('org_id' in example.data && { org_id: orgId }),
    ...('refunded_amount' in example.data &&
      eventType !== 'payment.refunded' && { refunded_amount: rawNumber('0.0') }),
    sequence: 1,
    test: true,
  }
  const names = Object.keys(eventDataSchemas[eventType].shape)
  const ordered = Object.entries(data).toSorted(([a], [b]) => names.indexOf(a) - names.indexOf(b))
  // The fields are those of the schema, in its order.
  return Object.fromEntries(ordered) as unknown as EventData<Type> & { test: true }
}
