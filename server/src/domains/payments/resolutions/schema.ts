import { z } from 'zod'
import { uuid } from '../../../lib/requests/wire.ts'
import { outcomes } from './record.ts'

export const paymentParams = z.object({ payment_id: uuid })
export const refundParams = z.object({ payment_id: uuid, refund_id: uuid })

const orgId = uuid
  .nullish()
  .meta({ description: 'The organisation of the payment, where the operator asks for it.' })
const evidence = z.string().trim().min(10).max(4000).meta({
  description:
    'What shows the outcome, such as a line of the provider’s statement or the name of who confirmed it.',
  example: 'The statement of 2 March shows it as paid, line 4711.',
})
const providerReference = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .nullish()
  .meta({ description: 'The provider’s own id of the payment, if it is known.' })

export const inquireBody = z.object({ org_id: orgId }).nullish()
export const resolveBody = z.object({
  outcome: z
    .enum(outcomes)
    .meta({ description: 'returned: a completed payout that the recipient’s bank gave back.' }),
  evidence,
  provider_reference: providerReference,
  org_id: orgId,
})
export const resolveRefundBody = z.object({
  outcome: z.enum(['completed', 'failed']),
  evidence,
  provider_reference: providerReference,
  org_id: orgId,
})

/** The payload of the change request. */
export const proposal = z.object({
  payment_id: uuid,
  attempt_no: z.int().optional(),
  leg_no: z.int().optional(),
  refund_id: uuid.optional(),
  outcome: z.enum(outcomes),
  evidence: z.string(),
  provider_reference: z.string().nullable(),
})
export type Proposal = z.infer<typeof proposal>
