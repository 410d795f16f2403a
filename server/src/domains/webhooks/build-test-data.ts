import { newId } from '../../lib/ids.ts'
import { rawNumber } from '../../lib/json.ts'
import { branchesOf, shapeOf, type Shape } from '../../lib/request-shape.ts'
import { eventDataSchemas, type EventData, type EventType } from './events.ts'

type Fields = Readonly<Record<string, unknown>>

const unrefunded = { refunded_amount: rawNumber('0.0') }

/** What an event of a type says beyond the shape of its data. */
const typical: Readonly<Partial<Record<EventType, Fields>>> = {
  'payment.completed': { status: 'completed', previous_status: 'processing', ...unrefunded },
  'payment.failed': {
    status: 'failed',
    previous_status: 'processing',
    ...unrefunded,
    failure: { code: 'INSUFFICIENT_FUNDS', message: 'The account does not have enough funds.' },
  },
  'payment.refunded': { status: 'refunded', previous_status: 'completed' },
  'payment.processing': { status: 'processing', previous_status: 'confirmed', ...unrefunded },
  'transaction.updated': { status: 'completed', previous_status: 'processing', ...unrefunded },
  'virtual_account.deposit': { type: 'credit' },
  'virtual_account.withdrawal': { type: 'debit' },
  'kyb.approved': { kyb_status: 'approved', can_resubmit: false },
  'kyb.rejected': { kyb_status: 'rejected', reason: 'A document could not be read.', can_resubmit: true },
  'escrow.milestone_updated': { status: 'approved', previous_status: 'submitted' },
  'escrow.disbursement_failed': { status: 'disbursing', previous_status: 'disbursing' },
  'dispute.opened': { state: 'needs_response' },
  'dispute.updated': { state: 'under_review', previous_state: 'needs_response' },
  'dispute.closed': { state: 'won', previous_state: 'under_review' },
  'payout_batch.paused': {
    pause: { code: 'INSUFFICIENT_FUNDS', message: 'The balance does not cover the next row.' },
  },
}

/** Made-up data in the shape of an event type, with ids that belong to nothing, marked as a test. */
export function testDataOf<Type extends EventType>(
  eventType: Type,
  orgId: string,
  now: Date,
): EventData<Type> & { test: true } {
  const root = shapeOf(eventDataSchemas[eventType])
  const made = sampleOf(root, { root, now }) as Fields // the schema is an object
  const data = {
    ...made,
    ...typical[eventType],
    ...('org_id' in made && { org_id: orgId }),
    // A payment has one id under two names.
    ...('payment_id' in made && 'transaction_id' in made && { transaction_id: made['payment_id'] }),
    test: true,
  }
  // The fields are those of the schema, in its order.
  return data as unknown as EventData<Type> & { test: true }
}

interface Place {
  root: Shape
  now: Date
}

function sampleOf(shape: Shape | boolean | undefined, place: Place): unknown {
  const branches = branchesOf(shape, place.root)
  if (branches.some(({ type }) => type === 'null')) return null
  const [branch = {}] = branches
  if (branch.const !== undefined) return branch.const
  if (branch.enum) return branch.enum[0]
  switch (branch.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(branch.properties ?? {}).map(([name, field]) => [name, sampleOf(field, place)]),
      )
    case 'array':
      return []
    case 'integer':
      return 1
    case 'number':
      return rawNumber('1500.25')
    case 'boolean':
      return true
    case 'string':
      return textOf(branch, place.now)
    default:
      return null
  }
}

function textOf({ format }: Shape, now: Date): string {
  if (format === 'uuid') return newId()
  return format === 'date-time' ? now.toISOString() : 'test'
}
