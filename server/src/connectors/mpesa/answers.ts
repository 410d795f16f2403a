import { z } from 'zod'

/** The parts of Daraja's answers that we read. Codes are strings or numbers. */
const code = z.union([z.string().min(1), z.int()]).transform(String)
const value = z.union([z.string(), z.number()]).transform(String).optional()

export const errorSchema = z.object({ errorCode: z.string().min(1), errorMessage: z.string().catch('') })
export const tokenSchema = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive(),
})
export const takenSchema = z.object({ ResponseCode: z.literal('0') })
export const pushSchema = takenSchema.extend({ CheckoutRequestID: z.string().min(1) })
export const commandSchema = takenSchema.extend({ OriginatorConversationID: z.string().min(1) })
export const pushStateSchema = z.object({ CheckoutRequestID: z.string(), ResultCode: code })

const pushResultSchema = z.object({
  CheckoutRequestID: z.string().min(1),
  ResultCode: code,
  CallbackMetadata: z.object({ Item: z.array(z.object({ Name: z.string(), Value: value })) }).optional(),
})

const commandResultSchema = z.object({
  ResultCode: code,
  OriginatorConversationID: z.string(),
  ResultParameters: z
    .object({ ResultParameter: z.array(z.object({ Key: z.string(), Value: value })) })
    .optional()
    .catch(undefined),
})

export const callbackSchema = z.union([
  z.object({ Body: z.object({ stkCallback: pushResultSchema }) }),
  z.object({ Result: commandResultSchema }),
])
export type PushResult = z.infer<typeof pushResultSchema>
export type CommandResult = z.infer<typeof commandResultSchema>
