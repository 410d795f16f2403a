import { z } from 'zod'

/** The parts of Circle's answers that we read. Unknown fields are ignored. */
const text = z.string().min(1)
const maybe = z.string().nullish().catch(null)

export const refusalSchema = z.object({ code: z.int(), message: z.string().catch('') })
export const handledSchema = z.object({ data: z.union([z.array(z.unknown()), z.record(text, z.unknown())]) })

export const configurationSchema = z.object({ payments: z.object({ masterWalletId: text }) })

export const wireSchema = z.object({ id: text, status: text, trackingRef: maybe })

export const instructionsSchema = z.object({
  trackingRef: text,
  beneficiary: z.object({ name: maybe }).nullish().catch(null),
  beneficiaryBank: z.object({ name: maybe, swiftCode: maybe, routingNumber: maybe, accountNumber: text }),
})

export const addressSchema = z.object({ address: text, addressTag: maybe })
export const recipientSchema = addressSchema.extend({ id: text, chain: text, status: text })

const endSchema = z
  .object({ type: maybe, id: maybe, address: maybe, addressTag: maybe })
  .nullish()
  .catch(null)

const movement = z.object({
  id: text,
  status: text,
  amount: z.object({ amount: text, currency: text }),
  source: endSchema,
  destination: endSchema,
  trackingRef: maybe,
  errorCode: maybe,
  return: z.looseObject({}).nullish().catch(null),
  createDate: maybe,
})
/** A deposit, a payout or a transfer. A payout with a `return` was returned by the bank. */
export const movementSchema = movement.transform(({ return: cameBack, ...rest }) =>
  cameBack ? { ...rest, status: 'returned' } : rest,
)
export type Movement = z.infer<typeof movementSchema>

/** The message inside the Amazon SNS envelope. */
export const notificationSchema = z.object({
  deposit: movementSchema.optional(),
  payout: movementSchema.optional(),
  transfer: movementSchema.optional(),
})
