import { z } from 'zod'

/** The parts of Adyen's answers that we read. Unknown fields are ignored; an unknown status never ends a payment. */
const text = z.string().nullish().catch(null)
const webAddress = z.url({ protocol: /^https?$/ })
const amountSchema = z.object({ value: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) })

/** Errors of both platforms have an `errorCode`. */
export const errorSchema = z.object({ status: z.int(), errorCode: z.string().min(1) })

export const paymentSchema = z.object({
  resultCode: z.string().min(1),
  pspReference: z.string().min(1).nullish(),
  merchantReference: z.string().nullish(),
  refusalReasonCode: text,
  amount: amountSchema.nullish(),
  action: z.object({ type: z.string(), url: webAddress.nullish(), method: text }).nullish().catch(null),
})
export type Payment = z.infer<typeof paymentSchema>

export const linkSchema = z.object({
  id: z.string().min(1),
  reference: z.string(),
  status: z.string().min(1),
  amount: amountSchema,
  url: webAddress,
  updatedAt: z.coerce.date().nullish().catch(null),
})

export const modificationSchema = z.object({
  pspReference: z.string().min(1),
  paymentPspReference: z.string(),
  status: z.literal('received'),
})

/** A business account, with the identifications of its country. */
export const instrumentSchema = z.object({
  id: z.string().min(1),
  bankAccount: z.object({
    accountNumber: z.string().min(1).optional(),
    sortCode: z.string().min(1).optional(),
    routingNumber: z.string().min(1).optional(),
    iban: z.string().min(1).optional(),
  }),
})
export type Instrument = z.infer<typeof instrumentSchema>

const senderSchema = z.object({
  accountHolder: z.object({ fullName: text }).nullish().catch(null),
  accountIdentification: z.object({ iban: text, accountNumber: text }).nullish().catch(null),
})
export const transferSchema = z.object({
  id: z.string().min(1),
  reference: text,
  status: z.string().min(1),
  reason: text,
  amount: amountSchema,
  category: text,
  createdAt: text,
  direction: text,
  type: text,
  balanceAccount: z.object({ id: text }).nullish().catch(null),
  // Of a deposit: the business account that it came to, and who sent it.
  paymentInstrument: z.object({ id: text }).nullish().catch(null),
  counterparty: z.object({ bankAccount: senderSchema.nullish() }).nullish().catch(null),
  referenceForBeneficiary: text,
  description: text,
})
export type Transfer = z.infer<typeof transferSchema>

export const transferPageSchema = z.object({
  data: z.array(transferSchema),
  _links: z.object({ next: z.object({ href: z.url() }).nullish() }).nullish(),
})

/** The fields are joined by colons before signing, so none may contain one. */
const signed = z.string().regex(/^[^:]*$/)
const itemSchema = z.object({
  pspReference: signed.min(1),
  originalReference: signed.nullish(),
  merchantAccountCode: signed,
  merchantReference: signed,
  amount: amountSchema,
  eventCode: signed,
  success: z.enum(['true', 'false']),
  additionalData: z.object({
    hmacSignature: z.string(),
    // Of a dispute. The signature does not cover them, so they inform people and decide nothing.
    chargebackReasonCode: text,
    chargebackSchemeCode: text,
    defensePeriodEndsAt: text,
  }),
})
export type Item = z.infer<typeof itemSchema>

export const serviceResultSchema = z.object({
  disputeServiceResult: z.object({ success: z.boolean(), errorMessage: text }),
})
export const defenseReasonsSchema = serviceResultSchema.extend({
  defenseReasons: z
    .array(
      z.object({
        defenseReasonCode: z.string().min(1),
        defenseDocumentTypes: z
          .array(z.object({ defenseDocumentTypeCode: z.string().min(1), requirementLevel: text }))
          .nullish(),
      }),
    )
    .nullish(),
})

/** One unreadable item makes the whole notification untrustworthy. */
export const notificationSchema = z
  .object({ notificationItems: z.array(z.object({ NotificationRequestItem: itemSchema })) })
  .transform(({ notificationItems }) => notificationItems.map((one) => one.NotificationRequestItem))

export const transferEventSchema = z.object({
  type: z.enum(['balancePlatform.transfer.created', 'balancePlatform.transfer.updated']),
  data: transferSchema,
})
