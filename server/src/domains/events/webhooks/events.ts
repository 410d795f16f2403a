import { z } from 'zod'
import { dateTime, userId, uuid, wireDecimal } from '../../../lib/requests/wire.ts'

// Other domains import this file, so it lists their statuses itself. The types of buildEvent reject one that is missing.
const sequence = z.int().positive().meta({
  description:
    'Counts the changes of one payment, account, milestone, dispute, batch or organisation; all events of one change carry the same number. Ignore an event only if you have processed a higher number of the same resource.',
})
const failure = z.object({ code: z.string(), message: z.string() }).nullable()
const test = z
  .literal(true)
  .optional()
  .meta({ description: 'In events that were sent by hand to try out a receiver, and in no others.' })

const paymentStatus = z.enum([
  'initiated',
  'reviewed',
  'confirmed',
  'processing',
  'pending',
  'completed',
  'failed',
  'refunded',
  'rejected',
  'canceled',
])

const paymentData = z.object({
  payment_id: uuid,
  transaction_id: uuid.meta({ description: 'The same as payment_id.' }),
  status: paymentStatus,
  previous_status: paymentStatus,
  amount: wireDecimal,
  currency: z.string(),
  target_amount: wireDecimal,
  target_currency: z.string(),
  refunded_amount: wireDecimal.meta({
    description: 'What the payer or the paying account got back so far, in `currency`.',
  }),
  direction: z.enum(['inbound', 'outbound', 'external']),
  payment_method: z.enum(['mobile_money', 'bank_transfer', 'card', 'crypto']),
  provider: z.string().nullable(),
  client_reference: z.string().nullable(),
  failure,
  fee_ids: z.array(z.string()).meta({ description: 'The fee schedules that the payment is charged by.' }),
  total_fees: wireDecimal.nullable(),
  fees_currency: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  updated_at: dateTime,
  sequence,
  test,
})

const virtualAccountData = z.object({
  transaction_id: uuid,
  account_id: uuid,
  org_id: uuid,
  type: z.enum(['credit', 'debit']),
  status: z.literal('completed'),
  amount: wireDecimal,
  fee: wireDecimal,
  currency: z.string(),
  description: z.string(),
  payment_rail: z.enum(['internal', 'bank_transfer', 'mobile_money', 'card', 'crypto']),
  reference: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
  user_id: userId,
  balance_after: wireDecimal.meta({ description: 'The balance of the account after this transaction.' }),
  sequence,
  test,
})

const freezeData = <Status extends string>(status: Status) =>
  z.object({
    freeze_id: uuid.meta({
      description: 'The resource that sequence counts: 1 begins the freeze, 2 ends it.',
    }),
    account_id: uuid,
    org_id: uuid,
    user_id: userId,
    currency: z.string(),
    status: z.literal(status),
    reason: z.string().nullable(),
    updated_at: dateTime,
    sequence,
    test,
  })

const kycData = z.object({
  request_id: uuid.meta({ description: 'The verification request, which is answered once.' }),
  transaction_id: uuid.meta({ description: 'The payment that the person was asked about.' }),
  org_id: uuid,
  target: z.enum(['sender', 'beneficiary']),
  user_id: z.string().meta({ description: 'The member or the beneficiary who was asked.' }),
  verification_type: z.enum(['bvn', 'nin']),
  updated_at: dateTime,
  sequence,
  test,
})

const kybData = z.object({
  org_id: uuid,
  kyb_status: z.enum(['approved', 'rejected']),
  reason: z.string().nullable().meta({ description: 'The reason in the words of the KYB provider.' }),
  can_resubmit: z.boolean(),
  updated_at: dateTime,
  sequence,
  test,
})

const milestoneStatus = z.enum(['pending', 'submitted', 'approved', 'disbursing', 'disbursed', 'canceled'])

const milestoneSnapshot = z.object({
  milestone_id: uuid,
  escrow_id: uuid,
  label: z.string(),
  sequence: z.int(),
  expected_disbursement: wireDecimal,
  currency: z.string(),
  status: milestoneStatus,
  disbursed_total: wireDecimal,
  description: z.string(),
  due_date: z.string().optional(),
  contract: z.object({ reference: z.string(), url: z.string().nullable() }).nullable(),
  contract_submitted_at: dateTime.optional(),
  disbursed_at: dateTime.optional(),
  parties: z.array(
    z.object({ party_id: uuid, split_type: z.enum(['percentage', 'fixed']), split_value: wireDecimal }),
  ),
  disbursements: z.array(
    z.object({
      party_id: uuid,
      amount: wireDecimal,
      status: z.enum(['pending', 'processing', 'paid', 'failed']),
      transaction_id: uuid,
      tries: z.int(),
      failure,
    }),
  ),
  funding_status: z.enum(['unfunded', 'partially_funded', 'funded']),
  covered_amount: wireDecimal,
  created_at: dateTime,
  updated_at: dateTime,
})

const milestoneData = z.object({
  milestone_id: uuid,
  escrow_id: uuid,
  status: milestoneStatus,
  previous_status: milestoneStatus,
  milestone: milestoneSnapshot,
  updated_at: dateTime,
  sequence,
  test,
})

const disputeState = z.enum(['warning', 'needs_response', 'under_review', 'won', 'lost', 'accepted'])

const disputeData = z.object({
  dispute_id: uuid,
  payment_id: uuid,
  state: disputeState,
  previous_state: disputeState.nullable(),
  reason: z.string(),
  provider: z.string(),
  provider_reason: z.string().meta({ description: 'The reason in the words of the provider.' }),
  amount: wireDecimal,
  currency: z.string(),
  withdrawn_amount: wireDecimal.meta({
    description: 'What the provider has withdrawn and not returned.',
  }),
  due_by: dateTime.nullable().meta({ description: 'The provider takes no response after it.' }),
  updated_at: dateTime,
  sequence,
  test,
})

const batchData = z.object({
  batch_id: uuid,
  row_count: z.int(),
  totals: z.array(z.object({ currency: z.string(), rows: z.int(), amount: wireDecimal, fees: wireDecimal })),
  progress: z.object({
    pending: z.int(),
    in_progress: z.int(),
    completed: z.int(),
    failed: z.int(),
    canceled: z.int(),
  }),
  pause: failure.meta({ description: 'Why the batch was paused.' }),
  updated_at: dateTime,
  sequence,
  test,
})

const health = z.enum(['healthy', 'degraded', 'down'])

const providerHealthData = z.object({
  corridor_id: uuid.meta({
    description: 'The resource that sequence counts: one account in one corridor.',
  }),
  provider: z.string(),
  account_id: uuid,
  direction: z.enum(['payin', 'payout']),
  payment_method: z.string(),
  country: z.string(),
  health: health.meta({
    description: 'A route that is down gets payments only after the other ones, and a few to try it with.',
  }),
  previous_health: health,
  since: dateTime,
  sequence,
  test,
})

export const eventDataSchemas = {
  'payment.completed': paymentData.meta({ description: 'The payment was delivered to the beneficiary.' }),
  'payment.failed': paymentData.meta({ description: 'The payment failed or was rejected.' }),
  'payment.refunded': paymentData.meta({
    description:
      'A part or all of the payment was refunded, reversed or returned; `refunded_amount` is the sum so far.',
  }),
  'payment.processing': paymentData.meta({ description: 'A provider has accepted the payment.' }),
  'virtual_account.deposit': virtualAccountData.meta({ description: 'A virtual account was credited.' }),
  'virtual_account.withdrawal': virtualAccountData.meta({ description: 'A virtual account was debited.' }),
  'virtual_account.frozen': freezeData('frozen').meta({ description: 'A virtual account was frozen.' }),
  'virtual_account.unfrozen': freezeData('active').meta({ description: 'A virtual account was unfrozen.' }),
  'kyc.submitted': kycData.meta({
    description: 'A person answered a verification request. The answer itself is read from the request.',
  }),
  'kyb.approved': kybData.meta({ description: 'The KYB verification of the organisation passed.' }),
  'kyb.rejected': kybData.meta({ description: 'The KYB verification of the organisation failed.' }),
  'transaction.updated': paymentData.meta({ description: 'The status of a payment changed.' }),
  'escrow.milestone_updated': milestoneData.meta({ description: 'The status of a milestone changed.' }),
  'escrow.disbursement_failed': milestoneData.meta({
    description: 'A payout of a milestone failed for good and needs manual review.',
  }),
  'dispute.opened': disputeData.meta({ description: 'A payer disputes a payment at their bank.' }),
  'dispute.updated': disputeData.meta({
    description: 'A dispute changed: its state, its deadline, or where its money is.',
  }),
  'dispute.closed': disputeData.meta({ description: 'A dispute was won, lost or accepted.' }),
  'payout_batch.paused': batchData.extend({ status: z.literal('paused') }).meta({
    description: 'A batch of payouts stopped, because the organisation cannot pay the next row.',
  }),
  'payout_batch.completed': batchData.extend({ status: z.literal('completed') }).meta({
    description: 'Every payout of a batch has ended.',
  }),
  'provider.health_changed': providerHealthData.meta({
    description:
      'The health of a provider account in a corridor changed. Only endpoints of the operator receive it.',
  }),
} as const

export type EventType = keyof typeof eventDataSchemas
/** The data of an event type as a builder gives it: amounts are raw numbers. */
export type EventData<Type extends EventType> = {
  [Name in EventType]: z.input<(typeof eventDataSchemas)[Name]>
}[Type]

// Object.keys loses the literal keys of the table, and Zod wants a list that is not empty.
export const eventTypes = Object.keys(eventDataSchemas) as [EventType, ...EventType[]]

/**
 * The data of a `transaction.updated` event that POST /v1/public/webhooks/notify sends by hand: a payment whose id and
 * status are the caller's.
 */
export const notificationData = paymentData.extend({
  payment_id: z.string(),
  transaction_id: z.string(),
  status: z.string(),
  previous_status: z.string(),
  updated_at: z.iso.datetime({ offset: true }),
})

/** All that the data of an event of a type can be, manual notifications included. */
export const dataVariants = (eventType: EventType): readonly [z.ZodType, ...z.ZodType[]] =>
  eventType === 'transaction.updated'
    ? [eventDataSchemas[eventType], notificationData]
    : [eventDataSchemas[eventType]]
