import { z } from 'zod'

/** The parts of pawaPay's answers that we read. Unknown fields are ignored; an unknown status is unknown. */
const failureReasonSchema = z.object({ failureCode: z.string() })

export const refusalSchema = z.object({ failureReason: failureReasonSchema })

const idNames = { deposit: 'depositId', payout: 'payoutId', refund: 'refundId' } as const
type Kind = keyof typeof idNames

/** An answer about another payment is ignored. */
export const isAbout = (kind: Kind, id: string, answer: object): boolean =>
  Reflect.get(answer, idNames[kind]) === id

export const initiationSchema = z.discriminatedUnion('status', [
  z.looseObject({ status: z.literal('ACCEPTED'), nextStep: z.string().optional() }),
  z.looseObject({ status: z.literal('DUPLICATE_IGNORED') }),
  z.looseObject({ status: z.literal('REJECTED'), failureReason: failureReasonSchema }),
])
export type Initiation = z.infer<typeof initiationSchema>

const paymentSchema = z.object({
  status: z.string().min(1),
  amount: z.string(),
  currency: z.string(),
  providerTransactionId: z.string().nullish(),
  failureReason: failureReasonSchema.nullish(),
  authorizationUrl: z.url({ protocol: /^https?$/ }).nullish(),
})
export type Payment = z.infer<typeof paymentSchema>

export const lookUpSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('FOUND'), data: paymentSchema.loose() }),
  z.object({ status: z.literal('NOT_FOUND') }),
])
export type LookUp = z.infer<typeof lookUpSchema>

/** A refund also contains its deposit's id, so its refund id is checked first. */
export const callbackSchema = z.union([
  paymentSchema.extend({ refundId: z.uuid(), depositId: z.uuid().optional() }),
  paymentSchema.extend({ payoutId: z.uuid() }),
  paymentSchema.extend({ depositId: z.uuid() }),
])
export type Callback = z.infer<typeof callbackSchema>

const termsSchema = z.object({
  authType: z.string().optional(),
  minAmount: z.string().optional(),
  maxAmount: z.string().optional(),
  // An unknown status is no reason to hide the network.
  status: z.enum(['OPERATIONAL', 'DELAYED', 'CLOSED']).catch('DELAYED'),
})
export type NetworkTerms = z.infer<typeof termsSchema>

const currencySchema = z.object({
  currency: z.string(),
  operationTypes: z.object({ DEPOSIT: termsSchema.optional(), PAYOUT: termsSchema.optional() }),
})
const providerSchema = z.object({
  provider: z.string(),
  displayName: z.string(),
  currencies: z.array(currencySchema),
})
export const configurationSchema = z.object({
  countries: z.array(z.object({ country: z.string(), providers: z.array(providerSchema) })),
})
export type Configuration = z.infer<typeof configurationSchema>

export const publicKeysSchema = z.array(z.object({ id: z.string(), key: z.string() }))
