import { z } from 'zod'
import { uuid } from '../../lib/wire.ts'

export const paymentParams = z.object({ payment_id: uuid })
export const transactionParams = z.object({ transaction_id: uuid })

export const actionBody = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('submit_otp'),
    otp: z.string().regex(/^[A-Za-z0-9]{3,12}$/, 'must be 3 to 12 letters or digits'),
  }),
  z.object({ action: z.literal('resend_otp') }),
  z.object({ action: z.literal('cancel') }),
])

export const reviewBody = z.object({
  decision: z.enum(['approve', 'reject']),
  comments: z.string().trim().min(1).max(2000).nullish(),
})

export const confirmBody = z.object({
  outcome: z.enum(['completed', 'failed']),
  comments: z.string().trim().min(1).max(2000).nullish(),
})
