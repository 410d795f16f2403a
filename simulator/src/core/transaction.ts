import { z } from 'zod'

const MONEY_OPERATIONS = ['collect', 'payout', 'refund'] as const
export type MoneyOperation = (typeof MONEY_OPERATIONS)[number]

const failureSchema = z.object({ code: z.string(), message: z.string() })
export type Failure = z.infer<typeof failureSchema>

const stateSchema = z.enum(['pending', 'action_required', 'completed', 'failed', 'reversed', 'canceled'])
export type TransactionState = z.infer<typeof stateSchema>

const detailsSchema = z.record(z.string(), z.unknown())

export const stepSchema = z.object({
  afterMs: z.number(),
  state: stateSchema,
  failure: failureSchema.optional(),
  /** Merged into the transaction's details. */
  details: detailsSchema.optional(),
})
export type Step = z.infer<typeof stepSchema>

export const transactionSchema = z.object({
  provider: z.string(),
  account: z.string(),
  operation: z.enum(MONEY_OPERATIONS),
  reference: z.string(),
  providerRef: z.string(),
  method: z.string(),
  amount: z.string(),
  currency: z.string(),
  state: stateSchema,
  failure: failureSchema.optional(),
  webhooks: z.enum(['once', 'never', 'twice', 'before_answer']),
  plan: z.array(stepSchema),
  details: detailsSchema,
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** The provider's record of one charge, payout or refund. It is immutable. */
export type Transaction = Readonly<z.infer<typeof transactionSchema>>

export function applyStep(transaction: Transaction, step: Omit<Step, 'afterMs'>, at: Date): Transaction {
  return {
    ...transaction,
    state: step.state,
    failure: step.failure,
    details: { ...transaction.details, ...step.details },
    updatedAt: at.toISOString(),
  }
}
