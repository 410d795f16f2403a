import { z } from 'zod'
import { rawNumber } from '../../../../lib/text/json.ts'
import { formatMinor, wireAmount } from '../../../../lib/money/money.ts'
import { presentFields, textOf } from '../../../../lib/text/no-value.ts'
import { dateTime, ok, shortText, success, uuid, wireDecimal } from '../../../../lib/requests/wire.ts'
import type { Milestone, Share, SplitUpdate, NewMilestone } from './record.ts'
import { formatPercent, fundingStatusOf, milestoneStatuses } from './rules.ts'

/** Spec 2.9 and 4.8. */
export const partiesLimit = 50
const amountLimit = 1e15
export const amount = z.number().positive().lt(amountLimit).meta({ format: 'double', example: 1500.25 })
const splitType = z.enum(['percentage', 'fixed'])

const splitUpdate = z
  .object({
    party_id: uuid,
    split_value: z.number().min(0).lt(amountLimit).meta({ format: 'double', example: 62.5 }),
    split_type: splitType
      .optional()
      .meta({ description: 'Keeps the current type unless given; percentage for a new party.' }),
  })
  .meta({ id: 'SplitUpdate' })
const splitUpdates = z.array(splitUpdate).min(1).max(partiesLimit)

export const updatePartiesBody = z.union([z.object({ parties: splitUpdates }), splitUpdates, splitUpdate], {
  error: 'must be {"parties": [...]}, a list, or one object; of {"party_id", "split_value"}, at least one',
})

export const milestonesParams = z.object({ escrow_id: uuid })
export const milestoneParams = z.object({ escrow_id: uuid, milestone_id: uuid })

const description = z.string().trim().max(2000).nullish()
const dueDate = z.iso.date().nullish().meta({ example: '2026-12-31' })
const sequence = z.int().min(1).max(1_000_000)

export const createMilestoneBody = z.object({
  label: shortText,
  expected_disbursement: amount,
  description,
  due_date: dueDate,
  sequence: sequence.optional().meta({ description: 'Defaults to the position after the last milestone.' }),
  parties: z.array(splitUpdate).max(partiesLimit).optional(),
})
export const updateMilestoneBody = z.object({
  label: shortText.optional(),
  expected_disbursement: amount.optional(),
  description,
  due_date: dueDate,
})
export const contractBody = z.object({
  reference: z.string().trim().min(1).max(255),
  url: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullish(),
})

const shareStatuses = z.enum(['pending', 'processing', 'paid', 'failed'])

const milestone = z
  .object({
    milestone_id: uuid,
    escrow_id: uuid,
    label: z.string(),
    sequence: z.int(),
    expected_disbursement: wireDecimal,
    currency: z.string(),
    status: z.enum(milestoneStatuses),
    disbursed_total: wireDecimal.meta({ description: 'The amount paid to parties so far.' }),
    description: z.string(),
    due_date: z.string().optional().meta({ description: 'Left out if there is none.' }),
    contract: z.object({ reference: z.string(), url: z.string().nullable() }).nullable(),
    contract_submitted_at: dateTime.optional().meta({ description: 'Left out until then.' }),
    disbursed_at: dateTime.optional().meta({ description: 'Left out until then.' }),
    parties: z.array(z.object({ party_id: uuid, split_type: splitType, split_value: wireDecimal })),
    disbursements: z
      .array(
        z.object({
          party_id: uuid,
          amount: wireDecimal,
          status: shareStatuses,
          transaction_id: uuid.meta({
            description: 'The id of the payout or book transfer, once it has started.',
          }),
          tries: z.int(),
          failure: z.object({ code: z.string(), message: z.string() }).nullable(),
        }),
      )
      .meta({ description: 'The share of each party, once the disbursement has been ordered.' }),
    funding_status: z.enum(['unfunded', 'partially_funded', 'funded']),
    covered_amount: wireDecimal,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Milestone' })

export const milestoneResponse = success(milestone)
export const milestoneList = success(z.array(milestone)).extend({ count: z.int() })

export const toSplitUpdates = (body: z.infer<typeof updatePartiesBody>): SplitUpdate[] => {
  if (Array.isArray(body)) return body
  return 'parties' in body ? body.parties : [body]
}

export const disbursedMinor = ({ shares }: Pick<Milestone, 'shares'>): bigint =>
  shares.reduce((sum, share) => (share.state === 'paid' ? sum + share.amountMinor : sum), 0n)

const wireStates = {
  pending: 'pending',
  paying: 'processing',
  paid: 'paid',
  failed: 'failed',
  stuck: 'failed',
} as const

const toShare = (share: Share, currency: string) => ({
  party_id: share.partyId,
  amount: wireAmount(share.amountMinor, currency),
  status: wireStates[share.state],
  transaction_id: share.paymentId,
  tries: share.tries,
  failure:
    share.failureCode === null ? null : { code: share.failureCode, message: share.failureMessage ?? '' },
})

export const toMilestone = (row: Milestone): z.input<typeof milestone> => ({
  milestone_id: row.milestoneId,
  escrow_id: row.escrowId,
  label: row.label,
  sequence: row.sequence,
  expected_disbursement: wireAmount(row.expectedMinor, row.currency),
  currency: row.currency,
  status: row.status,
  disbursed_total: wireAmount(disbursedMinor(row), row.currency),
  description: textOf(row.description),
  ...presentFields({ due_date: row.dueDate }),
  contract:
    row.contractReference === null ? null : { reference: row.contractReference, url: row.contractUrl },
  ...presentFields({
    contract_submitted_at: row.contractSubmittedAt?.toISOString(),
    disbursed_at: row.disbursedAt?.toISOString(),
  }),
  parties: row.splits.map(({ partyId, type, value }) => ({
    party_id: partyId,
    split_type: type,
    split_value: rawNumber(type === 'fixed' ? formatMinor(value, row.currency) : formatPercent(value)),
  })),
  disbursements: row.shares.map((share) => toShare(share, row.currency)),
  funding_status: fundingStatusOf(row),
  covered_amount: wireAmount(row.coveredMinor, row.currency),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export const toMilestoneList = (rows: readonly Milestone[]): z.input<typeof milestoneList> => ({
  ...ok('Milestones of the escrow, in sequence.', rows.map(toMilestone)),
  count: rows.length,
})

export const toNewMilestone = (
  escrowId: string,
  body: z.infer<typeof createMilestoneBody>,
): NewMilestone => ({
  escrowId,
  label: body.label,
  expected: body.expected_disbursement,
  description: body.description ?? null,
  dueDate: body.due_date ?? null,
  sequence: body.sequence,
  parties: body.parties ?? [],
})

export const toMilestoneChange = (body: z.infer<typeof updateMilestoneBody>) => ({
  label: body.label,
  expected: body.expected_disbursement,
  description: body.description,
  dueDate: body.due_date,
})
