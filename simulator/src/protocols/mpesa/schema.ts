import { z } from 'zod'

const text = z.string().min(1)
const number = z.union([z.string().regex(/^\d+$/), z.int().positive().transform(String)])
/** Whole shillings. */
const amount = number.refine((digits) => /[1-9]/.test(digits))
const phone = number.refine((digits) => /^254[17]\d{8}$/.test(digits))
const url = z.url({ protocol: /^https?$/ })

const signed = { BusinessShortCode: number, Password: text, Timestamp: z.string().regex(/^\d{14}$/) }

export const pushSchema = z.object({
  ...signed,
  TransactionType: z.enum(['CustomerPayBillOnline', 'CustomerBuyGoodsOnline']),
  Amount: amount,
  PartyA: phone,
  PartyB: number,
  PhoneNumber: phone,
  CallBackURL: url,
  AccountReference: z.string().min(1).max(12),
  TransactionDesc: z.string().max(182),
})

export const pushQuerySchema = z.object({ ...signed, CheckoutRequestID: text })
export type SignedFields = Pick<
  z.infer<typeof pushQuerySchema>,
  'BusinessShortCode' | 'Password' | 'Timestamp'
>

const commanded = {
  SecurityCredential: text,
  Remarks: z.string().max(100),
  QueueTimeOutURL: url,
  ResultURL: url,
}

export const payoutSchema = z.object({
  ...commanded,
  OriginatorConversationID: text,
  InitiatorName: text,
  CommandID: z.enum(['SalaryPayment', 'BusinessPayment', 'PromotionPayment']),
  Amount: amount,
  PartyA: number,
  PartyB: phone,
  Occassion: z.string().max(100).optional(),
})

export const statusSchema = z
  .object({
    ...commanded,
    Initiator: text,
    CommandID: z.literal('TransactionStatusQuery'),
    TransactionID: z.string().optional(),
    OriginalConversationID: z.string().optional(),
    PartyA: number,
    IdentifierType: number,
  })
  .refine((query) => Boolean(query.TransactionID) || Boolean(query.OriginalConversationID))

export const reversalSchema = z.object({
  ...commanded,
  Initiator: text,
  CommandID: z.literal('TransactionReversal'),
  TransactionID: text,
  Amount: amount,
  ReceiverParty: number,
  // This is Safaricom's spelling.
  RecieverIdentifierType: number,
})

export const detailsSchema = z.object({
  /** The result address of this request. */
  resultUrl: z.string(),
  /** Set while the answer to a status query is pending. */
  statusUrl: z.string().optional(),
  merchantRequestId: z.string(),
  receipt: z.string(),
  phone: z.string(),
})
export type Details = z.infer<typeof detailsSchema>
